package io.weir.stress.arm.load;

import java.util.SplittableRandom;

/**
 * When the operations of an open loop are due, whatever became of the earlier ones.
 *
 * <p><b>Units:</b> nanoseconds since the arm's zero. <b>Threads:</b> any; each due time is handed
 * out once.
 */
public interface Schedule {

  /** The next due time, never before the one handed out last. */
  long nextNanos();

  /**
   * One each time that the rate has called for one more since {@code firstNanos}: at 4 a second the
   * first after a quarter of one.
   */
  static Schedule even(TargetRate rate, long firstNanos) {
    LoadCurve calls = rate.calls();
    return new Schedule() {
      private long count; // guarded by this

      @Override
      public synchronized long nextNanos() {
        return firstNanos + Math.round(calls.nanosUntil(++count));
      }
    };
  }

  /**
   * A Poisson process of that rate: at a steady rate with exponential gaps. One of rate 1 is mapped
   * through the inverse of the integrated rate, which is exact at a changing rate too.
   */
  static Schedule poisson(TargetRate rate, long seed, long firstNanos) {
    LoadCurve calls = rate.calls();
    return new Schedule() {
      private final SplittableRandom random = new SplittableRandom(seed);
      private double arrival; // of the process of rate 1; guarded by this

      @Override
      public synchronized long nextNanos() {
        arrival -= Math.log1p(-random.nextDouble());
        return firstNanos + (long) calls.nanosUntil(arrival);
      }
    };
  }
}
