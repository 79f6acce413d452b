package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.ReadersFirst.DiskPressure;
import io.weir.control.ReadersFirst.ReadGaps;
import io.weir.control.ReadersFirst.ReaderWatch;
import io.weir.fakes.AutoClock;
import io.weir.merge.MergeKind;
import io.weir.merge.RateLimitedMergeScheduler;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadersFirstTest {

  private static final long HOLD = ReaderWatch.LONGEST_HOLD_NANOS;
  private static final long LOOK = ReaderWatch.LOOK_NANOS;
  private static final long WINDOW = DiskPressure.WINDOW_NANOS;

  @TempDir Path root;

  private final AutoClock clock = new AutoClock();
  private KernelFiles kernel;
  private ReaderWatch watch;
  private ReadersFirst readersFirst;
  private long waitedMicros;
  private long readBytes = 1000;

  @BeforeEach
  void mergeOnABusyDisk() throws IOException {
    kernel = new KernelFiles(root);
    kernel.waited(0);
    kernel.process(readBytes);
    kernel.thread("merge", 0);
    kernel.current("merge");
    watch = new ReaderWatch(kernel.procfs(), clock);
    readersFirst = new ReadersFirst(watch);
    readersFirst.mergeBegins();
    window(100_000);
  }

  @Test
  void search_thatReads_hasTheDiskForTwentyMilliseconds() throws IOException {
    clock.advanceNanos(LOOK);
    assertFalse(readersFirst.standAside());
    read();
    assertFalse(readersFirst.standAside(), "it looks every two milliseconds");
    assertTrue(readersFirst.isActive(), readersFirst.reason());
    clock.advanceNanos(LOOK);
    assertTrue(readersFirst.standAside());

    clock.advanceNanos(HOLD - 1);
    assertTrue(readersFirst.standAside());
    clock.advanceNanos(LOOK);
    assertFalse(readersFirst.standAside());
  }

  @Test
  void search_thatReadsOn_holdsTheDisk() throws IOException {
    for (int i = 0; i < 5; i++) {
      read();
      clock.advanceNanos(HOLD / 2);
      assertTrue(readersFirst.standAside(), "read " + i);
    }
    clock.advanceNanos(HOLD);
    assertFalse(readersFirst.standAside());
  }

  /** On the model of a cloud volume a merge caused 0.13 to 0.2, on a disk that kept up to 0.08. */
  @Test
  void disk_thatKeepsUp_isNotLeftToOneReader() throws IOException {
    window(0);
    window(49_999);
    read();
    clock.advanceNanos(LOOK);
    assertFalse(readersFirst.standAside());

    window(50_200); // a tenth of what has passed: the window and the look before it
    read();
    clock.advanceNanos(LOOK);
    assertTrue(readersFirst.standAside());
  }

  /** Merges that yield make less of it: what began at 0.13 was 0.1 then. */
  @Test
  void disk_thatIsLeftToReaders_staysBusyAtHalfThePressure() throws IOException {
    window(25_000);
    read();
    clock.advanceNanos(LOOK);
    assertTrue(readersFirst.standAside());
    clock.advanceNanos(HOLD);
    assertFalse(readersFirst.standAside());

    window(26_099); // with the look and the hold before it, a twentieth would be one more
    read();
    clock.advanceNanos(LOOK);
    assertFalse(readersFirst.standAside());
  }

  /**
   * A volume answers within two looks, so a search is over after six milliseconds without a read.
   */
  @Test
  void disk_thatAnswersSoon_isLeftForSixMillisecondsAfterALastRead() throws IOException {
    for (int i = 0; i < 200; i++) {
      read();
      clock.advanceNanos(LOOK);
      assertTrue(readersFirst.standAside(), "read " + i);
    }
    clock.advanceNanos(ReaderWatch.SHORTEST_HOLD_NANOS - 1);
    assertTrue(readersFirst.standAside());
    clock.advanceNanos(LOOK);
    assertFalse(readersFirst.standAside());
  }

  /** Of a search's reads, one in ten may take longer. */
  @Test
  void readGaps_areThoseThatNineOfTenReadsAreBelow() {
    ReadGaps gaps = new ReadGaps(HOLD);
    assertEquals(HOLD / 2, gaps.nanos());
    gaps.add(HOLD); // that is from one search to the next
    assertEquals(HOLD / 2, gaps.nanos());
    gaps.add(HOLD / 2);
    assertEquals(HOLD / 2 - 50_000, gaps.nanos());
    gaps.add(HOLD / 2);
    assertEquals(HOLD / 2 + 400_000, gaps.nanos());

    for (int i = 0; i < 4000; i++) {
      gaps.add(i % 20 == 0 ? 15_000_000 : i % 2 == 0 ? 5_000_000 : 2_000_000);
    }
    assertEquals(5_000_000, gaps.nanos(), 1_000_000);
  }

  @Test
  void merge_thatReads_isNoReader() throws IOException {
    kernel.thread("merge", 4096);
    readBytes += 4096 - 1;
    read();
    clock.advanceNanos(LOOK);
    assertFalse(readersFirst.standAside());
  }

  @Test
  void others_ofTheSameProcess_seeTheSameReaders() throws IOException {
    ReadersFirst other = new ReadersFirst(watch);
    window(100_000);
    assertFalse(other.standAside());
    assertFalse(readersFirst.standAside());
    read();
    clock.advanceNanos(LOOK);
    assertTrue(readersFirst.standAside());
    assertTrue(other.standAside());
  }

  @Test
  void noMergeRuns_nothingIsSeen() throws IOException {
    readersFirst.mergeEnds(Thread.currentThread());
    read();
    clock.advanceNanos(LOOK);
    assertFalse(readersFirst.standAside());
  }

  /** On the machine that runs this, whatever it tells. */
  @Test
  void realMerge_underIt_isDone() throws IOException {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();
    scheduler.setYield(new ReadersFirst());
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setMergeScheduler(scheduler))) {
      for (int i = 0; i < 3; i++) {
        Document document = new Document();
        document.add(new StringField("id", "" + i, Field.Store.YES));
        writer.addDocument(document);
        writer.flush();
      }
      writer.forceMerge(1);
    }
    assertEquals(1, scheduler.totals(MergeKind.FORCED).done());
  }

  private void read() throws IOException {
    readBytes += 1;
    kernel.process(readBytes);
  }

  /** A window of pressure passes, and is looked at. */
  private void window(long micros) throws IOException {
    waitedMicros += micros;
    kernel.waited(waitedMicros);
    clock.advanceNanos(WINDOW);
    assertFalse(readersFirst.standAside());
  }
}
