package io.weir.stress.arm;

import io.weir.stress.result.RunWarning;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Watches an arm while it runs, such as for a scrape of its meters. */
@FunctionalInterface
public interface ArmObserver {

  /** The watching of one arm, until it is closed. */
  @FunctionalInterface
  interface Observation extends Closeable {

    /** What whoever reads the arm's result must be told; asked after the close. */
    default List<RunWarning> warnings() {
      return List.of();
    }
  }

  /** Watches nothing. */
  ArmObserver NONE = parts -> () -> {};

  /**
   * The arm is open, and its load is about to begin. What is thrown fails the arm.
   *
   * @return closed before the arm's parts are
   */
  Observation open(ArmParts parts) throws IOException;
}
