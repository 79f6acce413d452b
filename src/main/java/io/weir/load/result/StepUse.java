package io.weir.load.result;

import java.util.Optional;

/**
 * What a step used of the machine. A figure that is not known is empty.
 *
 * <p><b>Units:</b> per cent of all processors, or of the time in which the client sent.
 *
 * @param machinePercent processors that did anything, for whatever process
 * @param serverPercent processors that ran the server
 * @param clientPercent processors that ran the client
 * @param collectorPercent processors that ran threads of the server's collector
 * @param pausedPercent the time in which the collector stopped all threads of the server
 * @param diskPercent the time in which some task of the machine waited for a disk
 * @param mergingPercent the time in which a forced merge ran; empty when the arm has none
 * @param threadsPercent the server's threads that were busy, when it has a limited number
 * @param readBytesPerSecond what the server read from storage
 */
public record StepUse(
    Optional<Double> machinePercent,
    Optional<Double> serverPercent,
    double clientPercent,
    Optional<Double> collectorPercent,
    Optional<Double> pausedPercent,
    Optional<Double> diskPercent,
    Optional<Double> mergingPercent,
    Optional<Double> threadsPercent,
    Optional<Double> readBytesPerSecond) {

  private static final double FULL_MACHINE = 85;
  private static final double FULL_DISK = 50;
  private static final double FULL_THREADS = 90;
  private static final double STOPPED = 20;

  /** A quarter of what the server used went to its collector. */
  private static final double COLLECTING = 0.25;

  /**
   * The resource that was full, the one that explains most first.
   *
   * @param outcome of the step
   */
  public Resource full(StepOutcome outcome) {
    if (outcome == StepOutcome.CLIENT) {
      return Resource.CLIENT;
    }
    boolean machineFull = atLeast(machinePercent, FULL_MACHINE);
    if (atLeast(pausedPercent, STOPPED) || machineFull && isCollecting()) {
      return Resource.COLLECTOR;
    }
    if (machineFull) { // a machine that is busy does not wait, even if one task of it does
      return Resource.PROCESSOR;
    }
    if (atLeast(diskPercent, FULL_DISK)) {
      return Resource.DISK;
    }
    return atLeast(threadsPercent, FULL_THREADS) ? Resource.THREADS : Resource.NONE;
  }

  /** The same, with what the collector stopped. */
  public StepUse withPaused(Optional<Double> percent) {
    return new StepUse(
        machinePercent,
        serverPercent,
        clientPercent,
        collectorPercent,
        percent,
        diskPercent,
        mergingPercent,
        threadsPercent,
        readBytesPerSecond);
  }

  private boolean isCollecting() {
    return serverPercent
        .filter(server -> atLeast(collectorPercent, COLLECTING * server))
        .isPresent();
  }

  private static boolean atLeast(Optional<Double> value, double bound) {
    return value.filter(percent -> percent >= bound).isPresent();
  }
}
