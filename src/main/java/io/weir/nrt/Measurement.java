package io.weir.nrt;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The reopen that a thread is in. Each thread has its own and uses it again; no other one reads it.
 * It points at nothing else, so a thread that outlives the monitor keeps these few longs only.
 */
final class Measurement {

  /** A moment or a time that was not measured. */
  static final long UNKNOWN_NANOS = Long.MIN_VALUE;

  /** Whether the thread came by the monitor, which will finish the sample when the call returns. */
  boolean called;

  /** Whether the manager's listener was told of the beginning, and of the end. */
  boolean begun;

  boolean ended;

  /** Reopens inside this one that have begun and not ended; they are not measured. */
  int inner;

  /** What the manager said at the end. */
  boolean changed;

  long intendedNanos;
  long startedNanos;

  /** When the refresh lock was held and the index was about to be looked at. */
  long begunNanos;

  long visibleNanos;
  long finishedNanos;

  /** Documents that were told before {@link #begunNanos} have lower numbers than this. */
  long freshnessMark;

  /** Of this reopen in {@link RunningReopen}; {@link RunningReopen#NONE} if nobody looks. */
  long serial;

  /** The one it belongs to. */
  final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());

  private final long[] phaseNanos = new long[ReopenHistory.PHASES.length];

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
    freshnessMark = 0;
    serial = RunningReopen.NONE;
    Arrays.fill(phaseNanos, UNKNOWN_NANOS);
  }

  void setPhase(ReopenPhase phase, long nanos) {
    phaseNanos[phase.ordinal()] = nanos;
  }

  long phase(ReopenPhase phase) {
    return phaseNanos[phase.ordinal()];
  }

  long totalNanos() {
    return finishedNanos - startedNanos;
  }

  long latencyNanos() {
    return finishedNanos - (intendedNanos == UNKNOWN_NANOS ? startedNanos : intendedNanos);
  }

  /** As a record, once it is finished. */
  Reopen toReopen(ReopenResult result) {
    Map<ReopenPhase, Long> phases = new EnumMap<>(ReopenPhase.class);
    for (ReopenPhase phase : ReopenHistory.PHASES) {
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
