package io.weir.stress.arm.load;

import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.SlowReopens;
import io.weir.run.Values;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.logs.SlowReopenLog;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;

/**
 * Reopens the searcher through a monitor, and writes a line about each reopen. A log of its own
 * explains the slow ones.
 *
 * <p><b>Threads:</b> {@link #run} from one thread; {@link #searchers} from any. <b>Ownership:</b>
 * closes the searchers, the monitor, the log and the lines.
 */
public final class Reopener implements OpenLoop.Operation, Closeable {

  public static final String[] COLUMNS = {
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
  private final ArmCsv lines;
  private final SearcherManager searchers;
  private final ReopenMonitor monitor;
  private final SlowReopens slowReopens;
  private final SlowReopenLog slowLog;

  // Of the current reopen, by its thread.
  private OptionalLong visibleNanos = OptionalLong.empty();
  private final Map<ReopenPhase, Long> phaseNanos = new EnumMap<>(ReopenPhase.class);

  /**
   * Opens the searcher.
   *
   * @param lines with {@link #COLUMNS}
   */
  public Reopener(
      IndexWriter writer,
      ReopenOptions options,
      Timeline timeline,
      ArmCsv lines,
      SlowReopenLog slowLog)
      throws IOException {
    this.timeline = timeline;
    this.lines = lines;
    this.slowLog = slowLog;
    SearcherFactory factory =
        new SearcherFactory() {
          @Override
          public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
            // Right after this, the manager makes it current, and only then releases the old one.
            visibleNanos = OptionalLong.of(timeline.nowNanos());
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

  /** What slow reopens waited for; explains no further ones from now on. */
  public Values slowReopens() {
    slowReopens.close();
    return slowLog.values();
  }

  public ReopenMonitor monitor() {
    return monitor;
  }

  /** The searchers, for searches. */
  public SearcherManager searchers() {
    return searchers;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException {
    forget();
    String result = "failed";
    try {
      monitor.maybeRefreshBlocking(timeline.onClock(dueNanos));
      result = visibleNanos.isPresent() ? "changed" : "unchanged";
    } finally {
      line(dueNanos, OptionalLong.of(startedNanos), timeline.nowNanos(), result);
    }
  }

  @Override
  public void abandoned(long dueNanos, long givenUpNanos) throws IOException {
    forget();
    line(dueNanos, OptionalLong.empty(), givenUpNanos, "abandoned");
  }

  private void forget() {
    visibleNanos = OptionalLong.empty();
    phaseNanos.clear();
  }

  private void line(long dueNanos, OptionalLong startedNanos, long finishedNanos, String result)
      throws IOException {
    lines.line(
        timeline.phaseOf(dueNanos).label(),
        dueNanos,
        startedNanos,
        visibleNanos,
        finishedNanos,
        result,
        nanos(ReopenPhase.FLUSH),
        nanos(ReopenPhase.APPLY_DELETES),
        nanos(ReopenPhase.OPEN_READERS),
        nanos(ReopenPhase.MERGE_WAIT),
        nanos(ReopenPhase.WARM),
        nanos(ReopenPhase.RELEASE));
  }

  private Optional<Long> nanos(ReopenPhase phase) {
    return Optional.ofNullable(phaseNanos.get(phase));
  }

  @Override
  public void close() throws IOException {
    try (lines;
        slowLog;
        monitor) { // before the log, which it still calls
      searchers.close();
    }
  }
}
