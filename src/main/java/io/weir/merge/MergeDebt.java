package io.weir.merge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The write demand of merges compared with the cap: pure arithmetic over the events of the last
 * {@link #WINDOW_NANOS}, or since the start if that is later. It has no clock of its own.
 *
 * <p>The demand is F x W: flushed bytes per second times write amplification. W is computed from
 * the bytes that accepted merges <em>will</em> write, not from those written so far. Written bytes
 * can never exceed the cap, so a demand computed from them could not either. The bytes that a merge
 * will write are its estimate times the ratio of written to estimated bytes of finished merges.
 * Temporary and compound files make that ratio more than 1, deleted documents less.
 *
 * <p>Pending merges without a slot are not accepted yet and do not count: once indexing stalls, the
 * demand shown is too low. Forced merges and those of {@code addIndexes} are no lasting demand;
 * they count only in the debt.
 *
 * <p><b>Units:</b> bytes, nanoseconds of one clock. <b>Threads:</b> any; guarded by this.
 */
final class MergeDebt {

  /** The time that the figures cover. */
  static final long WINDOW_NANOS = 300_000_000_000L;

  private static final long STEP_NANOS = 10_000_000_000L;
  private static final long MIN_OBSERVED_NANOS = 1_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  /** An unfinished merge. */
  record Open(long estimatedBytes, long writtenBytes) {}

  /** The sums of one time step. */
  private static final class Step {
    final long startNanos;
    long merges;
    long flushedBytes;
    long acceptedBytes;
    long endedEstimatedBytes;
    long endedWrittenBytes;

    Step(long startNanos) {
      this.startNanos = startNanos;
    }
  }

  private final long startedNanos;
  private final ArrayDeque<Step> steps = new ArrayDeque<>(); // guarded by this

  /** Of merges from now on. */
  MergeDebt(long nowNanos) {
    startedNanos = nowNanos;
  }

  /** A natural or critical merge starts; {@code flushedBytes} of its input are freshly flushed. */
  synchronized void accepted(long flushedBytes, long estimatedBytes, long nowNanos) {
    Step step = step(nowNanos);
    step.merges++;
    step.flushedBytes += flushedBytes;
    step.acceptedBytes += estimatedBytes;
  }

  /** A merge has finished. */
  synchronized void done(long estimatedBytes, long writtenBytes, long nowNanos) {
    Step step = step(nowNanos);
    step.endedEstimatedBytes += estimatedBytes;
    step.endedWrittenBytes += writtenBytes;
  }

  /**
   * The figures now.
   *
   * @param mergeSlots number of merges at which Lucene stalls indexing; empty if unknown
   * @param open running merges, except critical ones
   */
  synchronized MergeDebtSnapshot snapshot(
      OptionalLong capBytesPerSecond, OptionalInt mergeSlots, List<Open> open, long nowNanos) {
    forget(nowNanos);
    Step sum = new Step(0);
    for (Step step : steps) {
      sum.merges += step.merges;
      sum.flushedBytes += step.flushedBytes;
      sum.acceptedBytes += step.acceptedBytes;
      sum.endedEstimatedBytes += step.endedEstimatedBytes;
      sum.endedWrittenBytes += step.endedWrittenBytes;
    }
    // Idle time counts: one large merge after it is no lasting demand.
    double observedSeconds =
        Math.clamp(nowNanos - startedNanos, MIN_OBSERVED_NANOS, WINDOW_NANOS) / NANOS_PER_SECOND;
    double overhead =
        sum.endedEstimatedBytes > 0 ? (double) sum.endedWrittenBytes / sum.endedEstimatedBytes : 1;
    double demand = sum.acceptedBytes * overhead / observedSeconds;
    double debt = 0;
    for (Open merge : open) {
      debt += Math.max(0, merge.estimatedBytes() * overhead - merge.writtenBytes());
    }
    Optional<Duration> untilStall = Optional.empty();
    if (mergeSlots.isPresent()
        && capBytesPerSecond.isPresent()
        && demand > capBytesPerSecond.getAsLong()) {
      double meanBytes = sum.acceptedBytes * overhead / sum.merges;
      double seconds =
          Math.max(0, mergeSlots.getAsInt() - open.size())
              * meanBytes
              / (demand - capBytesPerSecond.getAsLong());
      untilStall = Optional.of(Duration.ofNanos((long) (seconds * NANOS_PER_SECOND)));
    }
    return new MergeDebtSnapshot(
        sum.flushedBytes / observedSeconds,
        sum.flushedBytes > 0
            ? OptionalDouble.of(sum.acceptedBytes * overhead / sum.flushedBytes)
            : OptionalDouble.empty(),
        demand,
        capBytesPerSecond,
        Math.round(debt),
        open.size(),
        mergeSlots,
        untilStall,
        Duration.ofNanos((long) (observedSeconds * NANOS_PER_SECOND)));
  }

  private Step step(long nowNanos) {
    forget(nowNanos);
    Step last = steps.peekLast();
    if (last == null || nowNanos - last.startNanos >= STEP_NANOS) {
      last = new Step(nowNanos);
      steps.addLast(last);
    }
    return last;
  }

  private void forget(long nowNanos) {
    while (!steps.isEmpty() && nowNanos - steps.peekFirst().startNanos > WINDOW_NANOS) {
      steps.removeFirst();
    }
  }
}
