package io.weir.nrt;

import io.weir.time.NanoClock;
import java.util.Arrays;

/**
 * Where inside one reopen the time goes, told by what Lucene says on the way: {@code
 * IndexWriter.getReader} and what it calls, in Lucene 10.5. If what it says is not understood, as
 * another version may say it otherwise, the phases stay unknown.
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

  private final long[] phaseNanos = new long[ReopenRecords.PHASES.length];
  private Progress progress;
  private ReopenPhase phase; // the one going on while INSIDE
  private long sinceNanos;
  private long returnedNanos;

  void begin() {
    progress = Progress.NOT_BEGUN;
    phase = null;
    Arrays.fill(phaseNanos, Sample.UNKNOWN_NANOS);
  }

  static boolean listensTo(String component) {
    return component.equals("IW") || component.equals("BD");
  }

  void message(String component, String message, NanoClock clock) {
    if (progress == Progress.NOT_BEGUN) {
      if (component.equals("IW") && message.startsWith("flush at getReader")) {
        progress = Progress.INSIDE;
        phase = ReopenPhase.FLUSH;
        phaseNanos[ReopenPhase.FLUSH.ordinal()] = 0;
        sinceNanos = clock.nanoTime();
      }
    } else if (progress == Progress.INSIDE) {
      if (phase == ReopenPhase.MERGE_WAIT && message.startsWith("getReader took ")) {
        enter(null, clock);
        returnedNanos = sinceNanos;
        progress = Progress.RETURNED;
      } else {
        ReopenPhase next = next(component, message);
        if (next != phase) {
          enter(next, clock);
        }
      }
    }
  }

  private ReopenPhase next(String component, String message) {
    if (phase == ReopenPhase.MERGE_WAIT) {
      return phase; // a serial scheduler merges on this thread, and says all the same things
    }
    if (component.equals("IW")) {
      if (message.startsWith("publishFlushedSegment")) {
        return ReopenPhase.FLUSH;
      } else if (message.startsWith("now apply all deletes")) {
        return ReopenPhase.APPLY_DELETES;
      } else if (message.startsWith("return reader version=")) {
        return ReopenPhase.MERGE_WAIT;
      }
    } else if (component.equals("BD")) {
      if (message.startsWith("push new packet") || message.contains("now apply del packet")) {
        return ReopenPhase.APPLY_DELETES;
      } else if (message.contains("done inner apply del packet")
          || message.startsWith("waitApply: done")
          || message.startsWith("waitApply: no deletes")) {
        return ReopenPhase.OPEN_READERS;
      }
    }
    return phase;
  }

  private void enter(ReopenPhase next, NanoClock clock) {
    long now = clock.nanoTime();
    phaseNanos[phase.ordinal()] += now - sinceNanos;
    sinceNanos = now;
    phase = next;
    if (next != null && phaseNanos[next.ordinal()] == Sample.UNKNOWN_NANOS) {
      phaseNanos[next.ordinal()] = 0;
    }
  }

  boolean hasBegun() {
    return progress != Progress.NOT_BEGUN;
  }

  boolean hasReturned() {
    return progress == Progress.RETURNED;
  }

  /** When getReader returned; only if it has. */
  long returnedNanos() {
    return returnedNanos;
  }

  /** Hands the phases over, if getReader was followed to its end. */
  void copyTo(Sample sample) {
    if (hasReturned()) {
      for (ReopenPhase each : ReopenRecords.PHASES) {
        if (phaseNanos[each.ordinal()] != Sample.UNKNOWN_NANOS) {
          sample.setPhase(each, phaseNanos[each.ordinal()]);
        }
      }
    }
  }
}
