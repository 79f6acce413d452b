package io.weir.stress.arm;

import io.weir.run.RunWarning;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Observes an arm while it runs, for example to publish its meters. */
@FunctionalInterface
public interface ArmObserver {

  /** The observation of one arm, until it is closed. */
  @FunctionalInterface
  interface Observation extends Closeable {

    /** Warnings for the arm's result; called after the close. */
    default List<RunWarning> warnings() {
      return List.of();
    }
  }

  /** Observes nothing. */
  ArmObserver NONE = parts -> () -> {};

  /**
   * Called when the arm is open and its load is about to begin. An exception fails the arm.
   *
   * @return closed before the arm's parts are
   */
  Observation open(ArmParts parts) throws IOException;
}
