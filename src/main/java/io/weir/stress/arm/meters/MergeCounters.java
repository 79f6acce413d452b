package io.weir.stress.arm.meters;

import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.time.NanoClock;
import java.util.Optional;

/**
 * All that counts an arm's merges.
 *
 * @param meter below everything else, in every arm
 * @param throttle Weir's own counters; empty with {@code preset=stock}
 */
public record MergeCounters(MergeMeter meter, Optional<Throttle> throttle) {

  private static final long LONGEST_SETTLING_NANOS = 200_000_000;
  private static final long LOOK_AGAIN_NANOS = 100_000;

  /**
   * What paces the merges of an arm with {@code preset=weir}, and counts them. Stock Lucene has
   * none.
   *
   * @param trouble listens to {@code scheduler}
   */
  public record Throttle(
      ByteBudget budget, RateLimitedMergeScheduler scheduler, CapWatch trouble) {}

  /**
   * Merge bytes at one moment: written, as counted below everything else, and granted by the
   * budget.
   *
   * @param granted empty without a budget
   */
  record Bytes(long writtenBytes, Optional<BudgetSnapshot> granted) {

    private boolean isSettled() {
      return granted.map(budget -> budget.grantedBytes() == writtenBytes).orElse(true);
    }
  }

  /** The bytes now. Reads the written ones first, so it never shows more than were granted. */
  Bytes bytes() {
    long written = meter.writtenBytes();
    return new Bytes(written, throttle.map(weir -> weir.budget().snapshot()));
  }

  /**
   * The bytes at a moment when every granted one has been written, if there is one soon; a byte is
   * written right after its grant, so mostly the first look finds one. Otherwise the bytes as they
   * are.
   */
  Bytes settledBytes(NanoClock clock) {
    long startNanos = clock.nanoTime();
    Bytes bytes = bytes();
    while (!bytes.isSettled() && clock.nanoTime() - startNanos < LONGEST_SETTLING_NANOS) {
      clock.parkNanos(this, LOOK_AGAIN_NANOS);
      bytes = bytes();
    }
    return bytes;
  }

  /** Where the cap was too low so far; nowhere without a cap. */
  public CapWatch.Trouble capTrouble() {
    return throttle.map(weir -> weir.trouble().trouble()).orElse(CapWatch.Trouble.NONE);
  }
}
