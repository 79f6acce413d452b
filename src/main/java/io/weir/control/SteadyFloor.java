package io.weir.control;

/**
 * A lowest rate that moves in steps: a floor that creeps would make each look a change of the rate.
 *
 * <p><b>Units:</b> bytes per second. <b>Threads:</b> one at a time.
 */
final class SteadyFloor {

  private static final double STEP = 1.15;
  private static final double LOWER = 0.7;

  private final double least;
  private double floor;

  SteadyFloor(double least) {
    this.least = least;
  }

  /** The floor, for the rate that keeps up with indexing now. */
  double at(double keepUp) {
    double needed = Math.max(least, keepUp);
    if (needed > floor || needed < LOWER * floor) {
      floor = keepUp > least ? STEP * needed : needed;
    }
    return floor;
  }
}
