package io.weir.benchmark.forcedmerge;

import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import io.weir.store.RateLimitedDirectory;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.store.Directory;

/** A way to merge; the first one is what the others are held against. */
enum MergeArm {
  PLAIN("plain Lucene") {
    @Override
    Setup on(Directory directory) {
      return new Setup(directory, new ConcurrentMergeScheduler(), null);
    }
  },

  WEIR_UNLIMITED("Weir, unlimited") {
    @Override
    Setup on(Directory directory) {
      ByteBudget budget = ByteBudget.unlimited();
      return new Setup(
          new RateLimitedDirectory(directory, budget), new ConcurrentMergeScheduler(), budget);
    }
  },

  WEIR_SCHEDULED("Weir, its scheduler too") {
    @Override
    Setup on(Directory directory) {
      ByteBudget budget = ByteBudget.unlimited();
      return new Setup(
          new RateLimitedDirectory(directory, budget),
          new RateLimitedMergeScheduler(budget),
          budget);
    }
  },

  WEIR("Weir, all components") {
    @Override
    Setup on(Directory directory) {
      ByteBudget budget = ByteBudget.unlimited();
      return new Setup(
          DirectoryPlan.recommended(budget).over(directory),
          new RateLimitedMergeScheduler(budget),
          budget);
    }
  };

  private final String title;

  MergeArm(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Everything new, around {@code directory}. */
  abstract Setup on(Directory directory);

  /**
   * What an index writer is given.
   *
   * @param budget that is charged; null when none is
   */
  record Setup(Directory directory, MergeScheduler scheduler, ByteBudget budget) {

    long chargedBytes() {
      return budget == null ? 0 : budget.snapshot().grantedBytes();
    }
  }
}
