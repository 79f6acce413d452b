package io.weir.benchmark.stopping;

import io.weir.merge.CloseAction;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.store.Directory;

/** What holds a forced merge back. */
enum Brake {
  WEIR_CAPPED("Weir, 1 MB/s", true),
  WEIR_PAUSED("Weir, paused", true),
  LUCENE_CAPPED("Lucene, 1 MB/s", false),
  LUCENE_PAUSED("Lucene, 0 MB/s", false);

  private static final long CAP_BYTES_PER_SECOND = 1_000_000;
  private static final double BYTES_PER_LUCENE_MEGABYTE = 1024 * 1024;

  private final String title;
  private final boolean weir;

  Brake(String title, boolean weir) {
    this.title = title;
    this.weir = weir;
  }

  String title() {
    return title;
  }

  boolean isWeirs() {
    return weir;
  }

  /** A brake that is open until {@link Applied#pull}. */
  Applied apply(Directory disk) {
    if (weir) {
      ByteBudget budget = new ByteBudget(BudgetOptions.named("stopping"));
      RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
      scheduler.setOnClose(CloseAction.ABORT); // else a close would measure the rest of the merge
      Rate pulled = this == WEIR_PAUSED ? Rate.PAUSED : Rate.perSecond(CAP_BYTES_PER_SECOND);
      return new Applied(
          new RateLimitedDirectory(disk, budget),
          scheduler,
          () -> budget.setRate(pulled),
          () -> budget.setRate(Rate.UNLIMITED));
    }
    ConcurrentMergeScheduler scheduler = new ConcurrentMergeScheduler();
    double pulled = this == LUCENE_PAUSED ? 0 : CAP_BYTES_PER_SECOND / BYTES_PER_LUCENE_MEGABYTE;
    return new Applied(
        disk,
        scheduler,
        () -> scheduler.setForceMergeMBPerSec(pulled),
        () -> scheduler.setForceMergeMBPerSec(Double.POSITIVE_INFINITY));
  }

  /** A brake in the write path of one writer. */
  record Applied(
      Directory directory, ConcurrentMergeScheduler scheduler, Runnable pull, Runnable release) {}
}
