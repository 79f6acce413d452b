package io.weir.nrt;

import io.weir.lucene.ReaderMessages;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.util.InfoStream;

/**
 * Hooks to install before the writer and the manager are opened, so that a {@link ReopenMonitor}
 * can time the phases of a reopen. Each of the two is optional:
 *
 * <pre>{@code
 * ReopenPhases phases = new ReopenPhases();
 * config.setInfoStream(phases.infoStream(config.getInfoStream()));
 * SearcherManager searchers = new SearcherManager(writer, phases.searcherFactory(factory));
 * ReopenMonitor.attach(searchers, ReopenOptions.defaults().withPhases(phases));
 * }</pre>
 *
 * <p>Lucene reports its phases only as text to an info stream. The one created here asks for that
 * text only on the reopening thread and only during a reopen. So indexing and merging threads
 * compose no messages; a reopen composes about twenty short ones.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> serves one monitor at a time. After the monitor is
 * closed, the info stream and the factory only delegate.
 */
public final class ReopenPhases {

  private final PhaseTimer timer = new PhaseTimer();
  private NanoClock boundClock; // guarded by this; null while no monitor uses this
  private volatile Thread reopening;
  private volatile boolean factoryMade;

  // Of the reopen in progress; written and read by its thread.
  private NanoClock clock;
  private long factoryCalledNanos;
  private long factoryReturnedNanos;

  /** An info stream that passes everything on to {@code delegate}, and closes it when closed. */
  public InfoStream infoStream(InfoStream delegate) {
    return new Listening(this, Objects.requireNonNull(delegate, "delegate"));
  }

  /** A factory of Lucene's own searchers. */
  public SearcherFactory searcherFactory() {
    return searcherFactory(new SearcherFactory());
  }

  /** A factory that creates searchers with {@code maker}. */
  public SearcherFactory searcherFactory(SearcherFactory maker) {
    Objects.requireNonNull(maker, "maker");
    factoryMade = true;
    return new SearcherFactory() {
      @Override
      public IndexSearcher newSearcher(IndexReader reader, IndexReader previous)
          throws IOException {
        boolean timed = isReopening();
        if (timed) {
          factoryCalledNanos = clock.nanoTime();
        }
        IndexSearcher searcher = maker.newSearcher(reader, previous);
        if (timed) {
          factoryReturnedNanos = clock.nanoTime();
        }
        return searcher;
      }
    };
  }

  synchronized void bind(NanoClock monitorClock) {
    if (boundClock != null) {
      throw new IllegalStateException("phases must serve one monitor at a time: already attached");
    }
    boundClock = monitorClock;
  }

  synchronized void unbind() {
    boundClock = null;
    reopening = null;
  }

  /** A reopen of the calling thread begins. */
  synchronized void begin() {
    if (boundClock != null) {
      clock = boundClock;
      factoryCalledNanos = Measurement.UNKNOWN_NANOS;
      factoryReturnedNanos = Measurement.UNKNOWN_NANOS;
      timer.begin();
      reopening = Thread.currentThread();
    }
  }

  /**
   * The reopen ends. Copies the known phases to {@code measurement}. Returns its result if nothing
   * new became visible, or {@link ReopenResult#UNCLEAR} if that was not seen here.
   */
  ReopenResult end(Measurement measurement) {
    if (!isReopening()) {
      return ReopenResult.UNCLEAR;
    }
    reopening = null;
    timer.copyTo(measurement);
    if (factoryReturnedNanos != Measurement.UNKNOWN_NANOS) {
      measurement.setPhase(ReopenPhase.WARM, factoryReturnedNanos - factoryCalledNanos);
      if (measurement.changed) {
        measurement.visibleNanos = factoryReturnedNanos;
      }
    }
    boolean factoryCalled = factoryCalledNanos != Measurement.UNKNOWN_NANOS;
    if (factoryCalled || timer.hasBegun() && !timer.hasReturned()) {
      return ReopenResult.FAILED;
    }
    // The writer returned a reader, but no searcher was made of it: it held nothing new.
    return factoryMade && timer.hasReturned() ? ReopenResult.UNCHANGED : ReopenResult.UNCLEAR;
  }

  private boolean isReopening() {
    return Thread.currentThread() == reopening;
  }

  /** Also asks for the messages of a reopen, on the reopening thread. */
  private static final class Listening extends InfoStream {

    private final ReopenPhases phases;
    private final InfoStream delegate;

    Listening(ReopenPhases phases, InfoStream delegate) {
      this.phases = phases;
      this.delegate = delegate;
    }

    @Override
    public boolean isEnabled(String component) {
      return delegate.isEnabled(component)
          || phases.isReopening() && ReaderMessages.isOf(component);
    }

    @Override
    public void message(String component, String message) {
      if (phases.isReopening()) {
        phases.timer.message(component, message, phases.clock);
      }
      if (delegate.isEnabled(component)) {
        delegate.message(component, message);
      }
    }

    @Override
    public void close() throws IOException {
      delegate.close();
    }
  }

  /**
   * Times the phases of one reopen, from the {@link ReaderMessages} that Lucene logs. If another
   * version words them differently, the phases stay unknown.
   *
   * <p><b>Threads:</b> the reopening thread only, under the manager's refresh lock.
   */
  static final class PhaseTimer {

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
}
