package io.weir.stress.arm.meters;

import io.weir.rate.BudgetSnapshot;
import io.weir.time.NanoClock;
import java.util.Optional;

/**
 * Merge bytes at one moment: written, as counted below everything else, and granted by the budget.
 *
 * @param granted empty without a budget
 */
record MergeBytes(long writtenBytes, Optional<BudgetSnapshot> granted) {

  private static final long LONGEST_SETTLING_NANOS = 200_000_000;
  private static final long LOOK_AGAIN_NANOS = 100_000;

  /** The counts now. Reads the written bytes first, so it never shows more than were granted. */
  static MergeBytes now(MergeCounters counters) {
    long written = counters.meter().writtenBytes();
    return new MergeBytes(written, counters.throttle().map(weir -> weir.budget().snapshot()));
  }

  /**
   * The counts at a moment when every granted byte has been written, if there is one soon; a byte
   * is written right after its grant, so mostly the first look finds one. Otherwise the counts as
   * they are.
   */
  static MergeBytes settled(MergeCounters counters, NanoClock clock) {
    long startNanos = clock.nanoTime();
    MergeBytes bytes = now(counters);
    while (!bytes.isSettled() && clock.nanoTime() - startNanos < LONGEST_SETTLING_NANOS) {
      clock.parkNanos(counters, LOOK_AGAIN_NANOS);
      bytes = now(counters);
    }
    return bytes;
  }

  private boolean isSettled() {
    return granted.map(budget -> budget.grantedBytes() == writtenBytes).orElse(true);
  }
}
