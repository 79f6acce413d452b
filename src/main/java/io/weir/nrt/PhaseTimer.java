package io.weir.nrt;

import io.weir.lucene.ReaderMessages;
import io.weir.time.NanoClock;
import java.util.Arrays;

/**
 * Times the phases of one reopen, from the {@link ReaderMessages} that Lucene logs. If another
 * version words them differently, the phases stay unknown.
 *
 * <p><b>Threads:</b> the reopening thread only, under the manager's refresh lock.
 */
final class PhaseTimer {

  /** The progress of getReader. */
  private enum Progress {
    NOT_BEGUN,
    INSIDE,
    RETURNED
  }

  private static final ReopenPhase[] PHASES = ReopenPhase.values();

  private final long[] phaseNanos = new long[PHASES.length];
  private Progress progress;
  private ReopenPhase phase; // the current one while INSIDE
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
    } // else a serial scheduler merges on this thread, and logs the same messages
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

  /** Copies the phases, if getReader was observed to its end. */
  void copyTo(Measurement measurement) {
    if (hasReturned()) {
      for (ReopenPhase each : PHASES) {
        if (phaseNanos[each.ordinal()] != Measurement.UNKNOWN_NANOS) {
          measurement.setPhase(each, phaseNanos[each.ordinal()]);
        }
      }
    }
  }
}
