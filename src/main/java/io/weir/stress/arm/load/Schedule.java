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

  /** One every {@code 1 / perSecond} seconds, the first such a gap after {@code firstNanos}. */
  static Schedule steady(double perSecond, long firstNanos) {
    return new Schedule() {
      private long count; // guarded by this

      @Override
      public synchronized long nextNanos() {
        return firstNanos + Math.round(++count * 1e9 / perSecond);
      }
    };
  }

  /** {@code perSecond} on average with exponential gaps: a Poisson process. */
  static Schedule poisson(double perSecond, long seed, long firstNanos) {
    return new Schedule() {
      private final SplittableRandom random = new SplittableRandom(seed);
      private double dueNanos; // guarded by this

      @Override
      public synchronized long nextNanos() {
        dueNanos += -Math.log1p(-random.nextDouble()) * 1e9 / perSecond;
        return firstNanos + (long) dueNanos;
      }
    };
  }
}
