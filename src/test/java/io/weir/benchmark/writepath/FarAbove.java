package io.weir.benchmark.writepath;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.time.NanoClock;

/**
 * A cap that no load reaches. One thread that writes to nothing comes to some 60 GB/s, beyond the
 * largest rate a budget takes; so ours has that rate by a clock that runs faster than the machine's
 * and costs as much to read.
 */
final class FarAbove {

  private static final int FASTER = 16;

  /** The same cap for Lucene. */
  static final double MEBIBYTES_PER_SECOND =
      (double) FASTER * Rate.MAX_BYTES_PER_SECOND / 1024 / 1024;

  private FarAbove() {}

  static ByteBudget budget() {
    return new ByteBudget(
        BudgetOptions.of(Rate.perSecond(Rate.MAX_BYTES_PER_SECOND)), new FastClock());
  }

  private static final class FastClock implements NanoClock {

    @Override
    public long nanoTime() {
      return SYSTEM.nanoTime() * FASTER;
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      SYSTEM.parkNanos(blocker, nanos / FASTER);
    }

    @Override
    public void park(Object blocker) {
      SYSTEM.park(blocker);
    }

    @Override
    public void unpark(Thread thread) {
      SYSTEM.unpark(thread);
    }
  }
}
