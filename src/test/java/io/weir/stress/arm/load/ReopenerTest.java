package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.nrt.SlowReopenOptions;
import io.weir.procfs.Procfs;
import io.weir.stress.RunDirectoryPage;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.logs.SlowReopenLog;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.InfoStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each look at the clock takes one nanosecond, so what came first can be told. */
class ReopenerTest {

  private record Reopening(Reopener reopener, Reopens reopens) implements Closeable {

    @Override
    public void close() throws IOException {
      IOUtils.close(reopens, reopener);
    }
  }

  private final StringWriter lines = new StringWriter();
  private final AutoClock clock = new AutoClock();
  private Directory directory;
  private IndexWriter writer;
  private ReopenOptions options;

  @BeforeEach
  void open() throws Exception {
    directory = new ByteBuffersDirectory();
    ReopenPhases phases = new ReopenPhases();
    writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig().setInfoStream(phases.infoStream(InfoStream.NO_OUTPUT)));
    options = ReopenOptions.defaults().withPhases(phases);
  }

  @AfterEach
  void close() throws Exception {
    writer.rollback();
    directory.close();
  }

  @Test
  void columns_areThoseOfThePage() throws Exception {
    assertEquals(RunDirectoryPage.columns("reopens.csv"), List.of(Reopens.COLUMNS));
  }

  @Test
  void run_somethingChanged_tellsWhenItBecameVisible() throws Exception {
    try (Reopening reopening = reopener(Duration.ZERO)) {
      clock.advanceNanos(1_000);
      writer.addDocument(new Document());
      reopening.reopens.run(900, 950);
    }
    String[] cells = lastLine().split(",", -1);
    assertEquals("a b,3,before,900,950", lastLine().substring(0, 20));
    long visible = Long.parseLong(cells[5]);
    long finished = Long.parseLong(cells[6]);
    assertTrue(1_000 < visible && visible < finished, lastLine());
    assertTrue(finished < 1_100, lastLine());
    assertEquals("changed", cells[7]);
  }

  /** In nanoseconds of the same clock, so they fit between the call and its end. */
  @Test
  void run_somethingChanged_tellsItsPhases() throws Exception {
    long begun;
    try (Reopening reopening = reopener(Duration.ZERO)) {
      writer.addDocument(new Document());
      writer.deleteDocuments(new Term("id", "1"));
      begun = clock.nanoTime();
      reopening.reopens.run(900, 950);
    }
    List<String> cells = List.of(lastLine().split(",", -1));
    assertEquals(Reopens.COLUMNS.length, cells.size());
    List<Long> phases = cells.subList(8, 14).stream().map(Long::valueOf).toList();
    assertTrue(phases.stream().allMatch(nanos -> nanos >= 1), lastLine());
    long sum = phases.stream().mapToLong(Long::longValue).sum();
    long finished = Long.parseLong(cells.get(6));
    assertTrue(sum < finished - begun, lastLine());
    long release = phases.getLast();
    assertTrue(release < finished - Long.parseLong(cells.get(5)), lastLine());
  }

  /** What one reopen took is not written to the line of the next. */
  @Test
  void run_nothingChangedAfterAChange_hasNoPhases() throws Exception {
    try (Reopening reopening = reopener(Duration.ZERO)) {
      writer.addDocument(new Document());
      reopening.reopens.run(900, 950);
      reopening.reopens.run(1900, 1950);
    }
    String[] all = lines.toString().split("\r\n");
    assertTrue(all[2].endsWith(",unchanged,,,,,,"), all[2]);
  }

  @Test
  void run_somethingChanged_hasClosedTheOldReader() throws Exception {
    try (Reopening reopening = reopener(Duration.ZERO)) {
      IndexReader old = current(reopening.reopener);
      writer.addDocument(new Document());
      reopening.reopens.run(900, 950);

      assertEquals(0, old.getRefCount());
    }
  }

  /** The copy of the index is deleted after this, and its files must not be open. */
  @Test
  void close_somethingChanged_leavesNoReaderOpen() throws Exception {
    IndexReader old;
    IndexReader last;
    try (Reopening reopening = reopener(Duration.ZERO)) {
      old = current(reopening.reopener);
      writer.addDocument(new Document());
      reopening.reopens.run(900, 950);
      last = current(reopening.reopener);
    }
    assertNotSame(old, last);
    assertEquals(0, old.getRefCount());
    assertEquals(0, last.getRefCount());
  }

  private static IndexReader current(Reopener reopener) throws Exception {
    IndexSearcher searcher = reopener.searchers().acquire();
    try {
      return searcher.getIndexReader();
    } finally {
      reopener.searchers().release(searcher);
    }
  }

  @Test
  void run_nothingChanged_leavesVisibleEmpty() throws Exception {
    try (Reopening reopening = reopener(Duration.ZERO)) {
      reopening.reopens.run(900, 950);
    }
    assertTrue(lastLine().matches("a b,3,before,900,950,,[1-9]\\d?,unchanged,,,,,,"), lastLine());
  }

  /** Times of the warm-up are negative, and were taken for "not visible". */
  @Test
  void run_somethingChangedInTheWarmup_isChanged() throws Exception {
    try (Reopening reopening = reopener(Duration.ofSeconds(5))) {
      writer.addDocument(new Document());
      reopening.reopens.run(-5_000_000_000L, -4_999_999_990L);
    }
    assertTrue(
        lastLine()
            .matches(
                "a b,3,warmup,-5000000000,-4999999990,-49999999\\d\\d,-49999999\\d\\d,changed,.*"),
        lastLine());
  }

  @Test
  void run_reopenThrows_writesItsLineAndPassesTheFailureOn() throws Exception {
    try (Reopening reopening = reopener(Duration.ZERO)) {
      writer.addDocument(new Document());
      writer.rollback();

      assertThrows(AlreadyClosedException.class, () -> reopening.reopens.run(900, 950));
    }
    assertTrue(lastLine().matches("a b,3,before,900,950,,[1-9]\\d?,failed,,,,,,"), lastLine());
  }

  /** The page promises a line for each scheduled reopen; those that never began had none. */
  @Test
  void abandoned_hasALineWithTheTimeItWasGivenUp() throws Exception {
    try (Reopening reopening = reopener(Duration.ZERO)) {
      reopening.reopens.abandoned(900, 1234);
    }
    assertEquals("a b,3,before,900,,,1234,abandoned,,,,,,", lastLine());
  }

  private Reopening reopener(Duration warmup) throws Exception {
    Thread reopening = Thread.currentThread();
    NanoClock ticking =
        new NanoClock() {
          @Override
          public long nanoTime() {
            if (Thread.currentThread() == reopening) { // the sampler looks as often as it likes
              clock.advanceNanos(1);
            }
            return clock.nanoTime();
          }

          @Override
          public void parkNanos(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos); // of the sampler: it does not move the clock
          }

          @Override
          public void park(Object blocker) {
            clock.park(blocker);
          }

          @Override
          public void unpark(Thread thread) {
            clock.unpark(thread);
          }
        };
    Timeline timeline = new Timeline(ticking, warmup);
    SlowReopenLog slowLog =
        new SlowReopenLog(
            SlowReopenOptions.defaults().withThreshold(Duration.ofHours(1)),
            timeline,
            Procfs.SYSTEM,
            new ArmCsv(new StringWriter(), "a b", 3, SlowReopenLog.COLUMNS),
            new StringWriter());
    Reopener reopener = new Reopener(writer, options, timeline, slowLog);
    ArmCsv csv = new ArmCsv(lines, "a b", 3, Reopens.COLUMNS);
    return new Reopening(reopener, new Reopens(reopener, timeline, new Visibility(timeline), csv));
  }

  private String lastLine() {
    String[] all = lines.toString().split("\r\n");
    assertEquals(2, all.length, "a header and a line");
    return all[1];
  }
}
