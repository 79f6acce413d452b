package io.weir.stress.arm;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;

/**
 * Reopens the searcher, and writes a line about each reopen.
 *
 * <p><b>Threads:</b> {@link #run} from one thread; {@link #searchers} from any. <b>Ownership:</b>
 * closes the searchers and the line writer.
 */
final class Reopener implements OpenLoop.Operation, Closeable {

  static final String[] COLUMNS = {
    "arm",
    "round",
    "phase",
    "intended_nanos",
    "started_nanos",
    "visible_nanos",
    "finished_nanos",
    "result"
  };

  private final Timeline timeline;
  private final String arm;
  private final int round;
  private final CSVPrinter lines;
  private final SearcherManager searchers;
  private Long visibleNanos; // null until visible; set by the reopening thread via the factory

  Reopener(IndexWriter writer, Timeline timeline, String arm, int round, Writer out)
      throws IOException {
    this.timeline = timeline;
    this.arm = arm;
    this.round = round;
    this.lines = new CSVPrinter(out, CSVFormat.RFC4180.builder().setHeader(COLUMNS).get());
    this.searchers =
        new SearcherManager(
            writer,
            new SearcherFactory() {
              @Override
              public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
                // The manager makes it the current one right after this, before it lets go of the
                // old.
                visibleNanos = timeline.nowNanos();
                return new IndexSearcher(reader);
              }
            });
  }

  SearcherManager searchers() {
    return searchers;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException {
    visibleNanos = null;
    String result = "failed";
    try {
      searchers.maybeRefreshBlocking();
      result = visibleNanos != null ? "changed" : "unchanged";
    } finally {
      line(dueNanos, startedNanos, timeline.nowNanos(), result);
    }
  }

  @Override
  public void abandoned(long dueNanos, long givenUpNanos) throws IOException {
    visibleNanos = null;
    line(dueNanos, null, givenUpNanos, "abandoned");
  }

  private void line(long dueNanos, Long startedNanos, Long finishedNanos, String result)
      throws IOException {
    lines.printRecord(
        arm,
        round,
        timeline.phaseOf(dueNanos).label(),
        dueNanos,
        startedNanos,
        visibleNanos,
        finishedNanos,
        result);
    lines.flush();
  }

  @Override
  public void close() throws IOException {
    try (lines) {
      searchers.close();
    }
  }
}
