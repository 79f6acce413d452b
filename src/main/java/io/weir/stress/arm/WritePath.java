package io.weir.stress.arm;

import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.plan.ArmSettings;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.store.Directory;

/**
 * What stands between an arm's writer and its disk: of ours the budget, the directory and the
 * scheduler, with {@code preset=stock} nothing; and the meter, below them in every arm.
 *
 * <p><b>Threads:</b> any.
 */
final class WritePath {

  private static final double BYTES_PER_LUCENE_MEGABYTE = 1024 * 1024;

  private final MergeMeter meter = new MergeMeter();
  private final ByteBudget budget;
  private final RateLimitedMergeScheduler capped;
  private final ConcurrentMergeScheduler scheduler;
  private final CapWatch capWatch = new CapWatch();

  WritePath(ArmSettings settings) {
    if (settings.cap() == null) {
      budget = null;
      capped = null;
      scheduler = new ConcurrentMergeScheduler();
    } else {
      budget = new ByteBudget(BudgetOptions.of(settings.cap()));
      capped = new RateLimitedMergeScheduler(budget);
      capped.addListener(capWatch);
      scheduler = capped;
    }
    if (settings.luceneForceMergeCapBytesPerSecond() != null) {
      scheduler.setForceMergeMBPerSec(
          settings.luceneForceMergeCapBytesPerSecond() / BYTES_PER_LUCENE_MEGABYTE);
    }
  }

  MergeMeter meter() {
    return meter;
  }

  /** Null with {@code preset=stock}. */
  ByteBudget budget() {
    return budget;
  }

  /** What the writer writes to; closing it closes {@code disk}. */
  Directory directory(Directory disk) {
    Directory counted = meter.directory(disk);
    return budget == null ? counted : new RateLimitedDirectory(counted, budget);
  }

  /** The one writer's. */
  ConcurrentMergeScheduler scheduler() {
    return scheduler;
  }

  /** The same, if it is ours; null with {@code preset=stock}. */
  RateLimitedMergeScheduler cappedScheduler() {
    return capped;
  }

  /**
   * What accepted merges have still to write; null with {@code preset=stock}, where nobody knows.
   */
  Long mergeDebtBytes() {
    return capped == null ? null : capped.debt().debtBytes();
  }

  /** What the scheduler said of the cap until now. */
  CapTrouble capTrouble() {
    return capWatch.trouble();
  }
}
