package io.weir.nrt;

import io.weir.lucene.ReaderMessages;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.util.InfoStream;

/**
 * What has to be in place before the writer and the manager are opened, so that a {@link
 * ReopenMonitor} can say where inside a reopen the time goes. Each half is optional:
 *
 * <pre>{@code
 * ReopenPhases phases = new ReopenPhases();
 * config.setInfoStream(phases.infoStream(config.getInfoStream()));
 * SearcherManager searchers = new SearcherManager(writer, phases.searcherFactory(factory));
 * ReopenMonitor.attach(searchers, ReopenOptions.defaults().withPhases(phases));
 * }</pre>
 *
 * <p>Lucene tells of its phases only as text to an info stream. The one made here asks for that
 * text from the reopening thread alone and only during a reopen, so indexing and merging threads do
 * not compose any; a reopen makes some twenty short messages.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> serves one monitor at a time; closing the monitor
 * leaves the info stream and the factory doing what the ones below them do.
 */
public final class ReopenPhases {

  private final PhaseTimer timer = new PhaseTimer();
  private NanoClock boundClock; // guarded by this; null while no monitor uses this
  private volatile Thread reopening;
  private volatile boolean factoryMade;

  // Of the reopen going on, written and read by its thread.
  private NanoClock clock;
  private long factoryCalledNanos;
  private long factoryReturnedNanos;

  /** An info stream that passes all on to {@code delegate}, which it closes when it is closed. */
  public InfoStream infoStream(InfoStream delegate) {
    return new Listening(this, Objects.requireNonNull(delegate, "delegate"));
  }

  /**
   * A factory that has {@code delegate} make the searchers; {@code null} stands for Lucene's own,
   * as it does in {@code SearcherManager}.
   */
  public SearcherFactory searcherFactory(SearcherFactory delegate) {
    factoryMade = true;
    SearcherFactory maker = delegate == null ? new SearcherFactory() : delegate;
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

  /** The reopen of this thread begins. */
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
   * It ends. What is known goes to {@code sample}; returns how it ended if nothing new became
   * visible, and {@link ReopenResult#UNCLEAR} if that was not seen here.
   */
  ReopenResult end(Measurement sample) {
    if (!isReopening()) {
      return ReopenResult.UNCLEAR;
    }
    reopening = null;
    timer.copyTo(sample);
    if (factoryReturnedNanos != Measurement.UNKNOWN_NANOS) {
      sample.setPhase(ReopenPhase.WARM, factoryReturnedNanos - factoryCalledNanos);
      if (sample.changed) {
        sample.visibleNanos = factoryReturnedNanos;
      }
    }
    boolean factoryCalled = factoryCalledNanos != Measurement.UNKNOWN_NANOS;
    if (factoryCalled || timer.hasBegun() && !timer.hasReturned()) {
      return ReopenResult.FAILED;
    }
    // The writer gave a reader, and it was not made a searcher: it held nothing new.
    return factoryMade && timer.hasReturned() ? ReopenResult.UNCHANGED : ReopenResult.UNCLEAR;
  }

  private boolean isReopening() {
    return Thread.currentThread() == reopening;
  }

  /** Adds to what the delegate asks for, while the asking thread reopens. */
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
}
