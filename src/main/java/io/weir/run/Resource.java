package io.weir.run;

import java.util.Optional;

/** What can be full while a server saturates. */
public enum Resource {
  /** The client, so that nothing is known of the server. */
  CLIENT("the client"),
  /** The garbage collector of the server. */
  COLLECTOR("the collector"),
  /** The processors of the machine. */
  PROCESSOR("the processor"),
  /** Tasks waited for the disk. */
  DISK("the disk"),
  /** The threads that the server was allowed. */
  THREADS("the pool of server threads"),
  /** None of those; something else limits, such as a lock. */
  NONE("none of those measured");

  private static final double FULL_MACHINE = 85;
  private static final double FULL_DISK = 50;
  private static final double FULL_THREADS = 90;
  private static final double STOPPED = 20;

  /** A quarter of what the server used went to its collector. */
  private static final double COLLECTING = 0.25;

  private final String label;

  Resource(String label) {
    this.label = label;
  }

  /** The resource that was full in a step, the one that explains most first. */
  public static Resource of(Values step) {
    if (step.require(StepFigures.OUTCOME) == StepOutcome.CLIENT) {
      return CLIENT;
    }
    boolean machineFull = atLeast(step.get(StepFigures.MACHINE), FULL_MACHINE);
    if (atLeast(step.get(StepFigures.PAUSED), STOPPED) || machineFull && isCollecting(step)) {
      return COLLECTOR;
    }
    if (machineFull) { // a machine that is busy does not wait, even if one task of it does
      return PROCESSOR;
    }
    if (atLeast(step.get(StepFigures.DISK), FULL_DISK)) {
      return DISK;
    }
    return atLeast(step.get(StepFigures.THREADS), FULL_THREADS) ? THREADS : NONE;
  }

  private static boolean isCollecting(Values step) {
    return step.get(StepFigures.SERVER)
        .filter(server -> atLeast(step.get(StepFigures.COLLECTOR), COLLECTING * server))
        .isPresent();
  }

  private static boolean atLeast(Optional<Double> value, double bound) {
    return value.filter(percent -> percent >= bound).isPresent();
  }

  /** In words. */
  public String label() {
    return label;
  }
}
