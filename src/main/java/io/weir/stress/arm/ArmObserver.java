package io.weir.stress.arm;

import java.io.Closeable;
import java.io.IOException;

/** Watches an arm while it runs, such as for a scrape of its meters. */
@FunctionalInterface
public interface ArmObserver {

  /** Watches nothing. */
  ArmObserver NONE = parts -> () -> {};

  /**
   * The arm is open, and its load is about to begin. What is thrown fails the arm.
   *
   * @return what ends the watching; closed before the arm's parts are
   */
  Closeable open(ArmParts parts) throws IOException;
}
