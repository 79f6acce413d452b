package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.fakes.AutoClock;
import io.weir.stress.RunDirectoryPage;
import io.weir.time.NanoClock;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each look at the clock takes one nanosecond, so what came first can be told. */
class ReopenerTest {

  private final StringWriter lines = new StringWriter();
  private final AutoClock clock = new AutoClock();
  private Directory directory;
  private IndexWriter writer;

  @BeforeEach
  void open() throws Exception {
    directory = new ByteBuffersDirectory();
    writer = new IndexWriter(directory, new IndexWriterConfig());
  }

  @AfterEach
  void close() throws Exception {
    writer.rollback();
    directory.close();
  }

  @Test
  void columns_areThoseOfThePage() throws Exception {
    assertEquals(RunDirectoryPage.columns("reopens.csv"), List.of(Reopener.COLUMNS));
  }

  @Test
  void run_somethingChanged_tellsWhenItBecameVisible() throws Exception {
    try (Reopener reopener = reopener(Duration.ZERO)) {
      clock.advanceNanos(1_000);
      writer.addDocument(new Document());
      reopener.run(900, 950);
    }
    String[] cells = lastLine().split(",", -1);
    assertEquals("a b,3,before,900,950", lastLine().substring(0, 20));
    long visible = Long.parseLong(cells[5]);
    long finished = Long.parseLong(cells[6]);
    assertEquals(1, finished - visible, "looked at the clock when visible, then at the end");
    assertEquals("changed", cells[7]);
  }

  @Test
  void run_nothingChanged_leavesVisibleEmpty() throws Exception {
    try (Reopener reopener = reopener(Duration.ZERO)) {
      reopener.run(900, 950);
    }
    assertEquals("a b,3,before,900,950,,2,unchanged", lastLine());
  }

  /** Times of the warm-up are negative, and were taken for "not visible". */
  @Test
  void run_somethingChangedInTheWarmup_isChanged() throws Exception {
    try (Reopener reopener = reopener(Duration.ofSeconds(5))) {
      writer.addDocument(new Document());
      reopener.run(-5_000_000_000L, -4_999_999_990L);
    }
    assertEquals(
        "a b,3,warmup,-5000000000,-4999999990,-4999999998,-4999999997,changed", lastLine());
  }

  @Test
  void run_reopenThrows_writesItsLineAndPassesTheFailureOn() throws Exception {
    try (Reopener reopener = reopener(Duration.ZERO)) {
      writer.addDocument(new Document());
      writer.rollback();

      assertThrows(AlreadyClosedException.class, () -> reopener.run(900, 950));
    }
    assertEquals("a b,3,before,900,950,,2,failed", lastLine());
  }

  /** The page promises a line for each scheduled reopen; those that never began had none. */
  @Test
  void abandoned_hasALineWithTheTimeItWasGivenUp() throws Exception {
    try (Reopener reopener = reopener(Duration.ZERO)) {
      reopener.abandoned(900, 1234);
    }
    assertEquals("a b,3,before,900,,,1234,abandoned", lastLine());
  }

  private Reopener reopener(Duration warmup) throws Exception {
    NanoClock ticking =
        new NanoClock() {
          @Override
          public long nanoTime() {
            clock.advanceNanos(1);
            return clock.nanoTime();
          }

          @Override
          public void parkNanos(Object blocker, long nanos) {
            clock.parkNanos(blocker, nanos);
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
    return new Reopener(writer, new Timeline(ticking, warmup), "a b", 3, lines);
  }

  private String lastLine() {
    String[] all = lines.toString().split("\r\n");
    assertEquals(2, all.length, "a header and a line");
    return all[1];
  }
}
