package io.weir.nrt;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The measurement of one reopen. It belongs to a thread while that reopens; no other thread reads
 * it then.
 */
final class Measurement {

  /** A time that was not measured. */
  static final long UNKNOWN_NANOS = Long.MIN_VALUE;

  /** The serial number of no reopen. */
  static final long NO_SERIAL = 0;

  private static final ReopenPhase[] PHASES = ReopenPhase.values();
  private static final VisiblePart[] PARTS = VisiblePart.values();

  /**
   * Whether the thread called the monitor, which finishes the measurement when the call returns.
   */
  boolean called;

  /** Whether the manager's listener was called at the beginning, and at the end. */
  boolean begun;

  boolean ended;

  /** Nested reopens that have begun and not ended; they are not measured. */
  int inner;

  /** How it ended; null before. */
  ReopenResult result;

  /** The manager's answer at the end. */
  boolean changed;

  long intendedNanos;
  long startedNanos;

  /** When the refresh lock was taken and the reopen proper began. */
  long begunNanos;

  long visibleNanos;
  long finishedNanos;

  /** Documents indexed before {@link #begunNanos} have lower numbers than this. */
  long freshnessMark;

  /** How long the document took that listeners hear of now; unknown of one outside the sample. */
  long freshnessNanos;

  /** How long the document took that took longest of those that became visible. */
  long longestWaitNanos;

  /**
   * The number of this reopen in {@link RunningReopen}; {@link #NO_SERIAL} if it is not sampled.
   */
  long serial;

  /** The thread that it belongs to, or belonged to last. */
  WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());

  /** Whether it does. */
  boolean taken;

  private final long[] phaseNanos = new long[PHASES.length];
  private final long[] partNanos = new long[PARTS.length]; // of longestWaitNanos

  void start(long intended, long started) {
    called = false;
    begun = false;
    ended = false;
    inner = 0;
    changed = false;
    intendedNanos = intended;
    startedNanos = started;
    begunNanos = UNKNOWN_NANOS;
    visibleNanos = UNKNOWN_NANOS;
    finishedNanos = UNKNOWN_NANOS;
    result = null;
    freshnessMark = 0;
    freshnessNanos = UNKNOWN_NANOS;
    longestWaitNanos = UNKNOWN_NANOS;
    serial = NO_SERIAL;
    Arrays.fill(phaseNanos, UNKNOWN_NANOS);
  }

  void setPhase(ReopenPhase phase, long nanos) {
    phaseNanos[phase.ordinal()] = nanos;
  }

  long phase(ReopenPhase phase) {
    return phaseNanos[phase.ordinal()];
  }

  /** A document became visible. */
  void waited(long handedOver, long indexed, long visible) {
    if (visible - handedOver <= longestWaitNanos) {
      return;
    }
    longestWaitNanos = visible - handedOver;
    long begun = Math.max(begunNanos, indexed); // the last ones come as the reopen begins
    long due = Math.min(begun, intendedNanos == UNKNOWN_NANOS ? startedNanos : intendedNanos);
    long next = Math.max(due, indexed);
    partNanos[VisiblePart.WRITE.ordinal()] = indexed - handedOver;
    partNanos[VisiblePart.NEXT_REOPEN.ordinal()] = next - indexed;
    partNanos[VisiblePart.LOCK.ordinal()] = begun - next;
    partNanos[VisiblePart.REOPEN.ordinal()] = visible - begun;
  }

  /** A part of {@link #longestWaitNanos}. */
  long part(VisiblePart part) {
    return partNanos[part.ordinal()];
  }

  long totalNanos() {
    return finishedNanos - startedNanos;
  }

  long latencyNanos() {
    return finishedNanos - (intendedNanos == UNKNOWN_NANOS ? startedNanos : intendedNanos);
  }

  /** A record of the finished reopen. */
  Reopen toReopen(ReopenResult result) {
    Map<ReopenPhase, Long> phases = new EnumMap<>(ReopenPhase.class);
    for (ReopenPhase phase : PHASES) {
      if (phase(phase) != UNKNOWN_NANOS) {
        phases.put(phase, phase(phase));
      }
    }
    return new Reopen(
        result, known(intendedNanos), startedNanos, known(visibleNanos), finishedNanos, phases);
  }

  static OptionalLong known(long nanos) {
    return nanos == UNKNOWN_NANOS ? OptionalLong.empty() : OptionalLong.of(nanos);
  }
}
