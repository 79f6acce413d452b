package io.weir.store.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.store.ForecastSnapshot;
import io.weir.store.KernelPageCache;
import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.kernel.TouchedPages;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page tables of this JVM, of a file that is all in the page cache. */
@Timeout(60)
class ForecastQualityTest {

  private static final int MIB = 1 << 20;
  private static final int ENDS = Forecast.ENDS_BYTES;

  /** The kernel maps as much around a page that is touched, unless it keeps larger pages. */
  private static final int AROUND_BYTES = MIB / 2;

  private static final String NAME = "_5.fdt";
  private static final int BYTES = 8 * MIB;

  /** The second MiB is wanted, and the sixth. */
  private static final Forecast FORECAST = except(0, MIB, 2 * MIB, 5 * MIB, 6 * MIB, BYTES);

  @TempDir Path temp;

  private final SteppedLooks looks = new SteppedLooks();
  private final ForecastSnapshot nothing = new ForecastSnapshot(0, 0, 0, 0, 0, 0);
  private volatile boolean inputIsClosed;
  private int pageBytes;
  private ForecastQuality quality;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty(), () -> KernelPageCache.unavailable().toString());
    TouchedPages.open();
    assumeTrue(TouchedPages.isOpen(), "the kernel does not say what is touched");
    file = Files.write(temp.resolve(NAME), new byte[BYTES]);
    pageBytes = ForeignLinuxCalls.get().pageBytes();
    quality = new ForecastQuality(temp, pageBytes, 0, looks.looks());
  }

  /** All but these, from one place to another. */
  private static Forecast except(int... ends) {
    return (from, to, each) -> {
      for (int i = 0; i < ends.length; i += 2) {
        long begin = Math.max(from, ends[i]);
        long end = Math.min(to, ends[i + 1]);
        if (begin < end) {
          each.of(begin, end - begin);
        }
      }
    };
  }

  private void publish() throws InterruptedException {
    quality.published(new MergePages.Foretold(Map.of(NAME, FORECAST), () -> inputIsClosed));
    looks.awaitLook();
  }

  private MappedByteBuffer map() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(MapMode.READ_ONLY, 0, BYTES);
    }
  }

  private void touch(MappedByteBuffer mapped, int from, int to) {
    for (int at = from; at < to; at += pageBytes) {
      assertEquals(0, mapped.get(at));
    }
  }

  private CachedPages touched() {
    return TouchedPages.now(pageBytes).look(file, 0, BYTES).orElseThrow();
  }

  private void measure() throws InterruptedException {
    inputIsClosed = true;
    looks.passOneSecond();
    looks.passTheLastSecond();
  }

  private void assertUnmeasured(int merges) {
    assertEquals(new ForecastSnapshot(0, merges, 0, 0, 0, 0), quality.snapshot());
  }

  @Test
  void merge_whoseForecastWasUsedInPart_hasHitsAndMisses() throws Exception {
    MappedByteBuffer mapped = map();
    publish();
    touch(mapped, MIB, 2 * MIB); // foretold
    touch(mapped, 3 * MIB + MIB / 2, 4 * MIB); // not
    CachedPages touched = touched();

    measure();

    ForecastSnapshot found = quality.snapshot();
    long used = touched.bytes(ENDS, BYTES - ENDS);
    assertEquals(
        new ForecastSnapshot(1, 0, BYTES - 2 * ENDS, 2 * MIB, used, MIB), found, "exactly");
    long missed = used - MIB;
    assertTrue(missed >= MIB / 2 && missed <= MIB / 2 + 4 * AROUND_BYTES, found::toString);
    assertEquals(0, mapped.get(0));
  }

  /** A merge that reads again what readers have come to use keeps both. */
  @Test
  void merge_thatKeptMore_foretoldBoth() throws Exception {
    MappedByteBuffer mapped = map();
    MergePages merge = new MergePages(segment -> 1);
    merge.keeps(NAME, FORECAST);
    merge.keepsMore(NAME, except(0, 2 * MIB, 3 * MIB, BYTES));
    merge.keepsMore("_5.tvd", FORECAST);
    merge.written(quality::published);
    assertEquals(0, looks.threads(), "nothing is published yet");
    merge.left();
    looks.awaitLook();
    touch(mapped, 2 * MIB, 3 * MIB);

    measure();

    assertEquals(3 * MIB, quality.snapshot().foretoldBytes());
    assertTrue(quality.snapshot().hitBytes() >= MIB, () -> quality.snapshot().toString());
    assertEquals(0, mapped.get(0));
  }

  /** A warmer, or Lucene when it opened the segment on the merge's thread. */
  @Test
  void pages_thatWereTouchedBeforeSearchesHadThem_areLeftOut() throws Exception {
    MappedByteBuffer mapped = map();
    touch(mapped, MIB, 2 * MIB);
    touch(mapped, 3 * MIB, 4 * MIB);
    CachedPages before = touched();
    publish();
    touch(mapped, MIB, 4 * MIB);
    CachedPages after = touched();

    measure();

    long left = BYTES - 2 * ENDS - before.bytes(ENDS, BYTES - ENDS);
    long used = after.bytes(ENDS, BYTES - ENDS) - before.bytes(ENDS, BYTES - ENDS);
    long foretold = MIB - before.bytes(5 * MIB, 6 * MIB);
    assertTrue(used > 0 && left < BYTES - 2 * MIB, () -> quality.snapshot().toString());
    assertEquals(new ForecastSnapshot(1, 0, left, foretold, used, 0), quality.snapshot());
    assertEquals(0, mapped.get(0));
  }

  /** Lucene reads the header and the footer of each file. */
  @Test
  void ends_ofAFile_areLeftOut() throws Exception {
    MappedByteBuffer mapped = map();
    publish();
    assertEquals(0, mapped.get(0) + mapped.get(BYTES - 1));
    assertTrue(touched().bytes() > 0);
    long beyond = touched().bytes(ENDS, BYTES - ENDS); // where the kernel keeps larger pages

    measure();

    assertEquals(
        new ForecastSnapshot(1, 0, BYTES - 2 * ENDS, 2 * MIB, beyond, 0), quality.snapshot());
    assertEquals(0, mapped.get(0));
  }

  @Test
  void moment_isASecondAfterSearchesWereSeenToHaveTheSegment() throws Exception {
    publish();
    MappedByteBuffer mapped = map();
    looks.passOneSecond();
    looks.passOneSecond(); // searches read the input still
    inputIsClosed = true;
    looks.passOneSecond();
    looks.pass(LateLooks.PERIOD_NANOS - 1);
    looks.awaitLook();
    assertEquals(nothing, quality.snapshot());
    looks.pass(1);
    looks.awaitEnd();
    assertEquals(1, quality.snapshot().measuredMerges());
    assertEquals(1, looks.threads());
    assertEquals(0, mapped.get(0));
  }

  /** As where an application reads by commits, and opens the new one late. */
  @Test
  void moment_withoutAMapping_isPutOff() throws Exception {
    publish();
    inputIsClosed = true;
    looks.passOneSecond();
    looks.passOneSecond();
    MappedByteBuffer mapped = map();
    looks.passOneSecond();
    assertEquals(nothing, quality.snapshot());
    looks.passTheLastSecond();
    assertEquals(1, quality.snapshot().measuredMerges());
    assertEquals(0, mapped.get(0));
  }

  @Test
  void merge_whoseSegmentSearchesNeverHave_countsAsNotMeasured() throws Exception {
    publish();
    for (int look = 1; look < ForecastQuality.MAX_LOOKS; look++) {
      looks.passOneSecond();
    }
    assertEquals(nothing, quality.snapshot());
    looks.passTheLastSecond();
    assertUnmeasured(1);
  }

  @Test
  void segment_thatWasMergedAway_countsAsNotMeasured() throws Exception {
    MappedByteBuffer mapped = map();
    publish();
    inputIsClosed = true;
    looks.passOneSecond();
    Files.delete(file);
    looks.passTheLastSecond();
    assertUnmeasured(1);
    assertEquals(0, mapped.get(0));
  }

  @Test
  void close_countsWhatWaitsAsNotMeasured_andEndsTheThread() throws Exception {
    ForecastQuality other = new ForecastQuality(temp, pageBytes, 0, looks.looks());
    publish();
    publish();
    other.published(new MergePages.Foretold(Map.of(NAME, FORECAST), () -> false));
    looks.awaitLook();

    quality.close();

    assertUnmeasured(2);
    looks.awaitLook(); // for the other directory
    other.close();
    looks.awaitEnd();
    assertEquals(1, looks.threads());
    assertEquals(1, other.snapshot().unmeasuredMerges());
    quality.close();
    assertUnmeasured(2);
    publish();
    assertEquals(2, looks.threads(), "a new thread, as none was there");
    quality.close();
  }

  @Test
  void merges_beyondThoseThatMayWait_countAsNotMeasured() throws Exception {
    for (int i = 0; i < LateLooks.MAX_WAITING; i++) {
      publish();
    }
    assertEquals(nothing, quality.snapshot());
    publish();
    assertUnmeasured(1);
    quality.close();
    assertUnmeasured(1 + LateLooks.MAX_WAITING);
  }

  @Test
  void merge_thatIsTooLargeToLookAt_countsAsNotMeasured() throws Exception {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(ForecastQuality.MAX_LOOKED_AT_BYTES + 1);
    }
    quality.published(new MergePages.Foretold(Map.of(NAME, FORECAST), () -> true));
    looks.awaitEnd();
    assertUnmeasured(1);
  }

  @Test
  void fault_ofALook_reachesNoMerge_andCountsAsNotMeasured() throws Exception {
    quality.published(
        new MergePages.Foretold(
            Map.of(NAME, FORECAST),
            () -> {
              throw new IllegalStateException("a fault");
            }));
    looks.awaitLook();
    looks.passTheLastSecond();
    assertUnmeasured(1);

    ForecastQuality without =
        new ForecastQuality(
            temp,
            pageBytes,
            0,
            new LateLooks(
                NanoClock.SYSTEM,
                task -> {
                  throw new RejectedExecutionException("no thread");
                }));
    for (int merge = 1; merge <= 2; merge++) {
      without.published(new MergePages.Foretold(Map.of(NAME, FORECAST), () -> true));
      assertEquals(merge, without.snapshot().unmeasuredMerges());
    }
  }
}
