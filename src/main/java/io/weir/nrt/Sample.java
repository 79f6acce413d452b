package io.weir.nrt;

import java.util.Arrays;

/**
 * The reopen that a thread is in. Each thread has its own and uses it again; no other one reads it.
 * It points at nothing, so a thread that outlives the monitor keeps these few longs only.
 */
final class Sample {

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

  private final long[] phaseNanos = new long[ReopenRecords.PHASES.length];

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
}
