package io.weir.stress.arm;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.plan.ArmSettings;
import io.weir.time.NanoClock;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.store.Directory;

/**
 * What stands between an arm's writer and its disk: of ours the budget and the directory, with
 * {@code preset=stock} nothing; and, below them in every arm, the meter.
 *
 * <p><b>Threads:</b> any.
 */
final class WritePath {

  private static final double BYTES_PER_LUCENE_MEGABYTE = 1024 * 1024;

  private final ArmSettings settings;
  private final MergeMeter meter = new MergeMeter();
  private final ByteBudget budget;

  WritePath(ArmSettings settings) {
    this.settings = settings;
    this.budget = settings.cap() == null ? null : new ByteBudget(BudgetOptions.of(settings.cap()));
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

  /** A scheduler for one writer. */
  ConcurrentMergeScheduler scheduler() {
    ConcurrentMergeScheduler scheduler = meter.scheduler();
    if (settings.luceneForceMergeCapBytesPerSecond() != null) {
      scheduler.setForceMergeMBPerSec(
          settings.luceneForceMergeCapBytesPerSecond() / BYTES_PER_LUCENE_MEGABYTE);
    }
    return scheduler;
  }

  /** The bytes of merges until now; see {@link MergeAccount#settled}. */
  MergeAccount settledAccount(NanoClock clock) {
    return MergeAccount.settled(meter, budget, clock);
  }

  /** From now on nothing waits for a grant. */
  void liftCap() {
    if (budget != null) {
      budget.setRate(Rate.UNLIMITED);
    }
  }
}
