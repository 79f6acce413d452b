package io.weir.stress.arm.timeline;

import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.time.NanoClock;
import java.time.Duration;

/**
 * The one clock of an arm: its zero, where its phases begin, and when its load ends.
 *
 * <p><b>Units:</b> nanoseconds since the end of the warm-up that was asked for, so the times of
 * that are negative. If the warm-up goes on, measuring begins later than zero.
 *
 * <p><b>Threads:</b> any. Waiting threads are woken when the end is set or moved up; nobody needs
 * to be interrupted, which would close files under Lucene's hands.
 */
public final class Timeline {

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

  /** When the load begins: minus the length of the warm-up. */
  public long firstNanos() {
    return firstNanos;
  }

  public long nowNanos() {
    return clock.nanoTime() - zeroNanos;
  }

  /** A moment of this, on the clock itself. */
  public long onClock(long nanos) {
    return nanos + zeroNanos;
  }

  /** A moment of the clock, on this. */
  public long ofClock(long clockNanos) {
    return clockNanos - zeroNanos;
  }

  /** The warm-up ends then, and not at zero; to be said before it has ended. */
  public void warmupGoesOnUntil(long nanos) {
    warmupEndNanos = nanos;
  }

  /** When the warm-up ends, as far as is known; measuring begins. */
  public long warmupEndNanos() {
    return warmupEndNanos;
  }

  public void mergeStarts(long nanos) {
    mergeStartNanos = nanos;
  }

  public void mergeEnded(long nanos) {
    mergeEndNanos = nanos;
  }

  /** No operation that is due at {@code nanos} or later is begun; the earliest such end counts. */
  public synchronized void endAt(long nanos) {
    endNanos = Math.min(endNanos, nanos);
  }

  /** Ends everything at once: what was due before and has not begun is not done any more. */
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

  /** How long each phase was; null for one that did not happen. */
  public Phases<Double> phaseSeconds() {
    return new Phases<>(
        endNanos < warmupEndNanos
            ? null
            : seconds(warmupEndNanos, Math.min(mergeStartNanos, endNanos)),
        mergeStartNanos == NOT_YET
            ? null
            : seconds(mergeStartNanos, Math.min(mergeEndNanos, endNanos)),
        mergeEndNanos == NOT_YET ? null : seconds(mergeEndNanos, endNanos));
  }

  /**
   * Waits until {@code nanos}; in short waits, so that an end that is set meanwhile is seen.
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

  /** When the merge was asked for; the largest long before that. */
  public long mergeStartNanos() {
    return mergeStartNanos;
  }

  /** When the merge was over; the largest long before that. */
  public long mergeEndNanos() {
    return mergeEndNanos;
  }

  private static double seconds(long fromNanos, long toNanos) {
    return Math.max(0, toNanos - fromNanos) / 1e9;
  }
}
