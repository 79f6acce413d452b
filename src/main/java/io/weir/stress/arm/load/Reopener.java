package io.weir.stress.arm.load;

import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.SlowReopens;
import io.weir.stress.arm.logs.SlowReopenLog;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.SlowReopenResult;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.util.EnumMap;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;

/**
 * Reopens the searcher by way of a monitor, and writes a line about each reopen. What slow ones
 * waited for goes to a log of their own.
 *
 * <p><b>Threads:</b> {@link #run} from one thread; {@link #searchers} from any. <b>Ownership:</b>
 * closes the searchers, the monitor, the log and the line writer.
 */
public final class Reopener implements OpenLoop.Operation, Closeable {

  static final String[] COLUMNS = {
    "arm",
    "round",
    "phase",
    "intended_nanos",
    "started_nanos",
    "visible_nanos",
    "finished_nanos",
    "result",
    "flush_nanos",
    "apply_deletes_nanos",
    "open_readers_nanos",
    "merge_wait_nanos",
    "warm_nanos",
    "release_nanos"
  };

  private final Timeline timeline;
  private final String arm;
  private final int round;
  private final CSVPrinter lines;
  private final SearcherManager searchers;
  private final ReopenMonitor monitor;
  private final SlowReopens slowReopens;
  private final SlowReopenLog slowLog;

  // Of the reopen going on, by its thread.
  private Long visibleNanos; // null until visible
  private final Map<ReopenPhase, Long> phaseNanos = new EnumMap<>(ReopenPhase.class);

  public Reopener(
      IndexWriter writer,
      ReopenOptions options,
      Timeline timeline,
      String arm,
      int round,
      Writer out,
      SlowReopenLog slowLog)
      throws IOException {
    this.timeline = timeline;
    this.arm = arm;
    this.round = round;
    this.slowLog = slowLog;
    this.lines = new CSVPrinter(out, CSVFormat.RFC4180.builder().setHeader(COLUMNS).get());
    SearcherFactory factory =
        new SearcherFactory() {
          @Override
          public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
            // The manager makes it the current one right after this, before it lets go of the old.
            visibleNanos = timeline.nowNanos();
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
            phaseNanos.put(phase, nanos);
          }
        });
    this.slowReopens = monitor.explainSlow(slowLog.options());
    slowReopens.addListener(slowLog);
  }

  /** What slow reopens waited for; looks at no more of them from now on. */
  public SlowReopenResult slowReopens() {
    slowReopens.close();
    return slowLog.result();
  }

  public ReopenMonitor monitor() {
    return monitor;
  }

  SearcherManager searchers() {
    return searchers;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException {
    forget();
    String result = "failed";
    try {
      monitor.maybeRefreshBlocking(timeline.onClock(dueNanos));
      result = visibleNanos != null ? "changed" : "unchanged";
    } finally {
      line(dueNanos, startedNanos, timeline.nowNanos(), result);
    }
  }

  @Override
  public void abandoned(long dueNanos, long givenUpNanos) throws IOException {
    forget();
    line(dueNanos, null, givenUpNanos, "abandoned");
  }

  private void forget() {
    visibleNanos = null;
    phaseNanos.clear();
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
        result,
        phaseNanos.get(ReopenPhase.FLUSH),
        phaseNanos.get(ReopenPhase.APPLY_DELETES),
        phaseNanos.get(ReopenPhase.OPEN_READERS),
        phaseNanos.get(ReopenPhase.MERGE_WAIT),
        phaseNanos.get(ReopenPhase.WARM),
        phaseNanos.get(ReopenPhase.RELEASE));
    lines.flush();
  }

  @Override
  public void close() throws IOException {
    try (lines;
        slowLog;
        monitor) { // before the log, to which it tells what has ended
      searchers.close();
    }
  }
}
