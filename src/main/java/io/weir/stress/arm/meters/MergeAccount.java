package io.weir.stress.arm.meters;

import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.time.NanoClock;

/**
 * Merge bytes at one moment, as counted below and as granted by the budget.
 *
 * @param chargedBytes null when there is no budget
 * @param pausedNanos likewise
 */
public record MergeAccount(long writtenBytes, Long chargedBytes, Long pausedNanos) {

  private static final long LONGEST_SETTLING_NANOS = 200_000_000;
  private static final long LOOK_AGAIN_NANOS = 100_000;

  /**
   * The account right now. Reads the written bytes first, so it never shows more than was charged.
   */
  static MergeAccount now(MergeMeter meter, ByteBudget budget) {
    long written = meter.writtenBytes();
    if (budget == null) {
      return new MergeAccount(written, null, null);
    }
    BudgetSnapshot granted = budget.snapshot();
    return new MergeAccount(written, granted.grantedBytes(), granted.waitNanos());
  }

  /**
   * The account at a moment when no granted byte is still on its way down, if there is one soon;
   * bytes pass right after their grant, so the first look mostly serves. Otherwise as it is.
   */
  static MergeAccount settled(MergeMeter meter, ByteBudget budget, NanoClock clock) {
    long startNanos = clock.nanoTime();
    MergeAccount account = now(meter, budget);
    while (account.chargedBytes != null
        && account.chargedBytes != account.writtenBytes
        && clock.nanoTime() - startNanos < LONGEST_SETTLING_NANOS) {
      clock.parkNanos(meter, LOOK_AGAIN_NANOS);
      account = now(meter, budget);
    }
    return account;
  }
}
