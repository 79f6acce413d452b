package io.weir.stress.arm.load;

import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.SlowReopens;
import io.weir.run.Values;
import io.weir.stress.arm.load.Reopens.Reopen;
import io.weir.stress.arm.logs.SlowReopenLog;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TopDocs;

/**
 * The searcher of a writer, reopened through a monitor. A log explains the slow reopens.
 *
 * <p><b>Threads:</b> {@link #refresh} from one thread; {@link #search} from any. <b>Ownership:</b>
 * closes the searchers, the monitor and the log.
 */
public final class Reopener implements Reopens.Refresher, Closeable {

  private final Timeline timeline;
  private final SearcherManager searchers;
  private final ReopenMonitor monitor;
  private final SlowReopens slowReopens;
  private final SlowReopenLog slowLog;
  private Optional<Reopen> current = Optional.empty(); // of the thread that refreshes

  /** Opens the searcher. */
  public Reopener(
      IndexWriter writer, ReopenOptions options, Timeline timeline, SlowReopenLog slowLog)
      throws IOException {
    this.timeline = timeline;
    this.slowLog = slowLog;
    SearcherFactory factory =
        new SearcherFactory() {
          @Override
          public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
            // Right after this, the manager makes it current, and only then releases the old one.
            current.ifPresent(reopen -> reopen.visible(timeline.nowNanos()));
            return new IndexSearcher(reader);
          }
        };
    this.searchers =
        new SearcherManager(
            writer,
            options.phases().map(phases -> phases.searcherFactory(factory)).orElse(factory));
    this.monitor = ReopenMonitor.attach(searchers, options, timeline.clock());
    monitor.addListener(
        new ReopenListener() {
          @Override
          public void phaseEnded(ReopenPhase phase, long nanos) {
            current.ifPresent(reopen -> reopen.took(phase, nanos));
          }
        });
    this.slowReopens = monitor.explainSlow(slowLog.options());
    slowReopens.addListener(slowLog);
  }

  @Override
  public void refresh(Reopen reopen) throws IOException {
    current = Optional.of(reopen);
    monitor.maybeRefreshBlocking(timeline.onClock(reopen.dueNanos()));
  }

  /** What slow reopens waited for; explains no further ones from now on. */
  public Values slowReopens() {
    slowReopens.close();
    return slowLog.values();
  }

  public ReopenMonitor monitor() {
    return monitor;
  }

  /** Returns how many of the best documents there are for a query; reads their stored fields. */
  public int search(Query query) throws IOException {
    return search(searchers, query);
  }

  static int search(SearcherManager searchers, Query query) throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      TopDocs found = searcher.search(query, Searches.TOP);
      StoredFields stored = searcher.storedFields();
      for (ScoreDoc hit : found.scoreDocs) {
        stored.document(hit.doc);
      }
      return found.scoreDocs.length;
    } finally {
      searchers.release(searcher);
    }
  }

  SearcherManager searchers() {
    return searchers;
  }

  @Override
  public void close() throws IOException {
    try (slowLog;
        monitor) { // before the log, which it still calls
      searchers.close();
    }
  }
}
