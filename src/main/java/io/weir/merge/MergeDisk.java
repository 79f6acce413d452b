package io.weir.merge;

import io.weir.rate.ByteBudget;
import java.util.Objects;

/**
 * What merges ask of the disk.
 *
 * @param yield whether they should leave it to others now
 * @param reads what they read from it
 */
record MergeDisk(MergeYield yield, MergeReadMeter reads) {

  /** Merges never yield, and their reads are not counted. */
  static final MergeDisk UNKNOWN = new MergeDisk(MergeYield.NEVER, MergeReadMeter.NONE);

  MergeDisk {
    Objects.requireNonNull(yield, "yield");
    Objects.requireNonNull(reads, "reads");
  }

  MergeDisk withYield(MergeYield newYield) {
    return new MergeDisk(newYield, reads);
  }

  /** As merges that are charged to this budget see it. */
  MergeDisk countedBy(ByteBudget budget) {
    return budget.countsReads() ? this : withReads(MergeReadMeter.NONE);
  }

  MergeDisk withReads(MergeReadMeter newReads) {
    return new MergeDisk(yield, newReads);
  }
}
