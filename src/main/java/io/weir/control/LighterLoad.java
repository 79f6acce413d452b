package io.weir.control;

/**
 * When a load has become lighter, and which rate merges had before it grew heavy.
 *
 * <p>After a burst of operations the {@link ErrorBudget} is spent, and paying it back at a few
 * samples a second takes minutes. So a time without latencies near the limit is enough to go back
 * to the rate that held before. A shorter time, with all latencies far below the limit, is enough
 * to forget what was late.
 *
 * <p>Loads that change again and again are learned: each time that ended in a cut, the next one
 * must be four times as long, so that a burst that returns twice a minute is expected at the third
 * time.
 *
 * <p><b>Units:</b> nanoseconds, bytes per second. <b>Threads:</b> one at a time.
 */
final class LighterLoad {

  /** All latencies were far below the limit for so long: the load has changed. */
  static final long LOW_NANOS = 8_000_000_000L;

  /** A rate that was not cut for so long is one that holds. */
  static final long HELD_NANOS = 8_000_000_000L;

  private static final double CALM_SHARE = 1.6; // of the time for low ones: calm is weaker evidence
  private static final int LONGER = 4;
  private static final long MOST_NANOS = 128_000_000_000L;
  private static final double STEP = 2;

  private long lowNanos = LOW_NANOS;
  private double held; // the highest rate that held; 0 for none
  private boolean returning;
  private boolean returned; // and the rate has not held since
  private boolean assumed; // since the last cut, that the load is lighter

  /** The rate was not changed for a while, and merges write. */
  void unchanged(double rate, long nanos) {
    if (nanos >= HELD_NANOS) {
      held = Math.max(held, rate);
      returned = false;
    }
  }

  /** Whether all that was late belongs to another load. */
  boolean isAnother(long nanosOfLow) {
    boolean another = nanosOfLow >= lowNanos;
    assumed |= another;
    return another;
  }

  /** Whether to go back to a rate that held before: at once or, if it is far, by {@link #next}. */
  boolean isBack(double rate, long nanosOfCalm) {
    if (!returning && held > rate && nanosOfCalm >= CALM_SHARE * lowNanos) {
      returning = true;
      returned = true;
      assumed = true;
    }
    return returning;
  }

  /** The next rate on the way back. */
  double next(double rate) {
    returning = STEP * rate < held;
    return Math.min(held, STEP * rate);
  }

  /** The rate is cut. */
  void cut() {
    if (returned) {
      held = 0; // it holds no longer
    }
    if (assumed) {
      lowNanos = Math.min(LONGER * lowNanos, MOST_NANOS);
    }
    returning = false;
    returned = false;
    assumed = false;
  }

  /** No merge has run for a while. */
  void rest() {
    returning = false;
    returned = false;
    assumed = false;
    held = 0;
    lowNanos = LOW_NANOS;
  }
}
