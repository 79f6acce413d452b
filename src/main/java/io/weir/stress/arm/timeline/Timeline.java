package io.weir.stress.arm.timeline;

import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.Optional;

/**
 * The one clock of an arm: its zero, where its phases begin, and when its load ends.
 *
 * <p><b>Units:</b> nanoseconds since the end of the requested warm-up, whose own times are
 * negative. If the warm-up goes on, measuring begins later than zero.
 *
 * <p><b>Threads:</b> any. Waiting threads wake when the end is set or moved up. No thread is ever
 * interrupted, because that would close files that Lucene uses.
 */
public final class Timeline {

  /**
   * When a phase began and ended, in nanoseconds of its timeline.
   *
   * @param toNanos not before {@code fromNanos}
   */
  public record Span(long fromNanos, long toNanos) {

    /** How long it was. */
    public double seconds() {
      return (toNanos - fromNanos) / 1e9;
    }
  }

  /** How long operations that were due before the end may still be begun after it. */
  public static final long DRAIN_SECONDS = 30;

  private static final long NOT_YET = Long.MAX_VALUE;
  private static final long LONGEST_WAIT_NANOS = 50_000_000;

  private final NanoClock clock;
  private final long firstNanos;
  private final long zeroNanos;
  private volatile long warmupEndNanos;
  private volatile long mergeStartNanos = NOT_YET;
  private volatile long mergeEndNanos = NOT_YET;
  private volatile long endNanos = NOT_YET; // written under the lock of this
  private volatile long drainNanos = DRAIN_SECONDS * 1_000_000_000L;

  /** The load begins now, and its measuring after the warm-up. */
  public Timeline(NanoClock clock, Duration warmup) {
    this.clock = clock;
    this.firstNanos = -warmup.toNanos();
    this.zeroNanos = clock.nanoTime() + warmup.toNanos();
  }

  /** The clock itself, which has a zero of its own. */
  public NanoClock clock() {
    return clock;
  }

  /** When the load begins: minus the length of the requested warm-up. */
  public long firstNanos() {
    return firstNanos;
  }

  public long nowNanos() {
    return clock.nanoTime() - zeroNanos;
  }

  /** Converts a moment of this timeline to the clock. */
  public long onClock(long nanos) {
    return nanos + zeroNanos;
  }

  /** Converts a moment of the clock to this timeline. */
  public long ofClock(long clockNanos) {
    return clockNanos - zeroNanos;
  }

  /** Moves the end of the warm-up, which must not have passed, to {@code nanos}. */
  public void warmupGoesOnUntil(long nanos) {
    warmupEndNanos = nanos;
  }

  /** When the warm-up ends and measuring begins, as far as is known. */
  public long warmupEndNanos() {
    return warmupEndNanos;
  }

  public void mergeStarts(long nanos) {
    mergeStartNanos = nanos;
  }

  public void mergeEnded(long nanos) {
    mergeEndNanos = nanos;
  }

  /** Begins no operation that is due at {@code nanos} or later; the earliest such end counts. */
  public synchronized void endAt(long nanos) {
    endNanos = Math.min(endNanos, nanos);
  }

  /** Ends everything at once: abandons operations that were due before and have not begun. */
  public void stop() {
    drainNanos = 0;
    endAt(nowNanos());
  }

  /** When the last operation that was due before the end may begin. */
  public long drainEndNanos() {
    long end = endNanos;
    return end == NOT_YET ? NOT_YET : end + drainNanos;
  }

  /** Whether the load has ended. */
  public boolean ended() {
    return nowNanos() >= endNanos;
  }

  public long endNanos() {
    return endNanos;
  }

  /** The phase in which something that is or was due at {@code nanos} falls. */
  public Phase phaseOf(long nanos) {
    if (nanos < warmupEndNanos) {
      return Phase.WARMUP;
    }
    if (nanos < mergeStartNanos) {
      return Phase.BEFORE;
    }
    return nanos < mergeEndNanos ? Phase.DURING : Phase.AFTER;
  }

  /** How long each phase was; without those that did not happen. */
  public Values phaseSeconds() {
    Values.Builder values = Values.builder();
    for (Phase phase : Phase.MEASURED) {
      values.put(ArmFigures.PHASE_SECONDS, phase, span(phase).map(Span::seconds));
    }
    return values.build();
  }

  /** When a measured phase was; empty if it did not happen. */
  public Optional<Span> span(Phase phase) {
    return switch (phase) {
      case WARMUP -> throw new IllegalArgumentException("results leave the warm-up out");
      case BEFORE ->
          span(endNanos >= warmupEndNanos, warmupEndNanos, Math.min(mergeStartNanos, endNanos));
      case DURING ->
          span(mergeStartNanos != NOT_YET, mergeStartNanos, Math.min(mergeEndNanos, endNanos));
      case AFTER -> span(mergeEndNanos != NOT_YET, mergeEndNanos, endNanos);
    };
  }

  /**
   * Waits until {@code nanos}, in short waits, so that it notices an end that is set while it
   * waits.
   *
   * @return false when {@code nanos} is not before the end
   */
  public boolean awaitDue(long nanos) {
    while (nanos < endNanos) {
      long leftNanos = nanos - nowNanos();
      if (leftNanos <= 0) {
        return true;
      }
      clock.parkNanos(this, Math.min(leftNanos, LONGEST_WAIT_NANOS));
    }
    return false;
  }

  /** Waits until the end that was set. */
  public void awaitEnd() {
    while (!ended()) {
      clock.parkNanos(this, Math.min(endNanos - nowNanos(), LONGEST_WAIT_NANOS));
    }
  }

  /** When the merge began; the largest long before that. */
  public long mergeStartNanos() {
    return mergeStartNanos;
  }

  /** When the merge ended; the largest long before that. */
  public long mergeEndNanos() {
    return mergeEndNanos;
  }

  private static Optional<Span> span(boolean happened, long fromNanos, long toNanos) {
    return happened
        ? Optional.of(new Span(fromNanos, Math.max(fromNanos, toNanos)))
        : Optional.empty();
  }
}
