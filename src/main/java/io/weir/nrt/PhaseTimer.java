package io.weir.nrt;

import io.weir.lucene.ReaderMessages;
import io.weir.time.NanoClock;
import java.util.Arrays;

/**
 * Where inside one reopen the time goes, by the {@link ReaderMessages} that Lucene logs on the way.
 * If they are not understood, as another version may word them otherwise, the phases stay unknown.
 *
 * <p><b>Threads:</b> used by the reopening thread alone, under the manager's refresh lock.
 */
final class PhaseTimer {

  /** How far getReader is. */
  private enum Progress {
    NOT_BEGUN,
    INSIDE,
    RETURNED
  }

  private final long[] phaseNanos = new long[ReopenHistory.PHASES.length];
  private Progress progress;
  private ReopenPhase phase; // the one going on while INSIDE
  private long sinceNanos;

  void begin() {
    progress = Progress.NOT_BEGUN;
    phase = null;
    Arrays.fill(phaseNanos, Measurement.UNKNOWN_NANOS);
  }

  void message(String component, String message, NanoClock clock) {
    if (progress == Progress.RETURNED) {
      return;
    }
    ReaderMessages.step(component, message).ifPresent(step -> take(step, clock));
  }

  private void take(ReaderMessages.Step step, NanoClock clock) {
    if (progress == Progress.NOT_BEGUN) {
      if (step == ReaderMessages.Step.FLUSH_BEGINS) {
        progress = Progress.INSIDE;
        phase = ReopenPhase.FLUSH;
        phaseNanos[ReopenPhase.FLUSH.ordinal()] = 0;
        sinceNanos = clock.nanoTime();
      }
    } else if (phase != ReopenPhase.MERGE_WAIT) {
      ReopenPhase next = next(step);
      if (next != phase) {
        enter(next, clock);
      }
    } else if (step == ReaderMessages.Step.RETURNS) {
      enter(null, clock);
      progress = Progress.RETURNED;
    } // else a serial scheduler merges on this thread, and says all the same things
  }

  private ReopenPhase next(ReaderMessages.Step step) {
    return switch (step) {
      case SEGMENT_PUBLISHED -> ReopenPhase.FLUSH;
      case DELETES_BEGIN -> ReopenPhase.APPLY_DELETES;
      case DELETES_END -> ReopenPhase.OPEN_READERS;
      case READER_MADE -> ReopenPhase.MERGE_WAIT;
      case FLUSH_BEGINS, RETURNS -> phase;
    };
  }

  private void enter(ReopenPhase next, NanoClock clock) {
    long now = clock.nanoTime();
    phaseNanos[phase.ordinal()] += now - sinceNanos;
    sinceNanos = now;
    phase = next;
    if (next != null && phaseNanos[next.ordinal()] == Measurement.UNKNOWN_NANOS) {
      phaseNanos[next.ordinal()] = 0;
    }
  }

  boolean hasBegun() {
    return progress != Progress.NOT_BEGUN;
  }

  boolean hasReturned() {
    return progress == Progress.RETURNED;
  }

  /** Hands the phases over, if getReader was followed to its end. */
  void copyTo(Measurement sample) {
    if (hasReturned()) {
      for (ReopenPhase each : ReopenHistory.PHASES) {
        if (phaseNanos[each.ordinal()] != Measurement.UNKNOWN_NANOS) {
          sample.setPhase(each, phaseNanos[each.ordinal()]);
        }
      }
    }
  }
}
