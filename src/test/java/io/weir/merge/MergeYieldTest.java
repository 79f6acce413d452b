package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.DeferredSyncDirectory;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real merges that are told to stand aside. */
@Timeout(60)
class MergeYieldTest {

  private static final int SEGMENTS = 14;
  private static final int DOCUMENTS = 20;
  private static final long STEP = YieldPause.STEP_NANOS;

  /** What is asked on the first turn, in steps: half of it and of what it adds may be paused. */
  private static final int STEPS = 20;

  private final AutoClock clock = new AutoClock();
  private final ByteBudget budget = ByteBudget.unlimited();
  private final RateLimitedMergeScheduler scheduler =
      new RateLimitedMergeScheduler(
          budget, clock, MergeSchedulingClass.OF_THIS_PROCESS, GraphMemory.OF_THIS_PROCESS);
  private final Told told = new Told();

  @BeforeEach
  void setYield() {
    scheduler.setYield(told);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void forcedMerge_toldForEver_standsAsideForHalfOfItsTime(boolean directoryCharges)
      throws IOException {
    forceMerge(directoryCharges);

    MergeKindTotals forced = scheduler.totals(MergeKind.FORCED);
    assertEquals((STEPS - 1) * STEP, forced.pauses().totalNanos());
    assertTrue(forced.pauses().count() > 0, forced.toString());
    assertEquals(List.of("begins", "ends"), told.news);
    assertEquals(1, told.threads.stream().distinct().count(), "not the merge's own thread");
  }

  @Test
  void forcedMerge_toldOfItsEnd_hasCountedItsPausesInItsTotals() throws IOException {
    MergeLab.Recorder recorder = new MergeLab.Recorder();
    scheduler.addListener(recorder);
    forceMerge(true);

    assertEquals((STEPS - 1) * STEP, recorder.finished.get(0).pauses().totalNanos());
  }

  /** As long as it had run before, it wrote nothing: hours, if it had run for hours. */
  @Test
  void forcedMerge_toldForEverAfterAQuietTime_writesInEverySecond() throws IOException {
    told.quietNanos = 5_000_000_000L;
    AtomicLong writtenAtNanos = new AtomicLong();
    AtomicLong longestNanos = new AtomicLong();
    try (Directory disk =
        new FilterDirectory(new ByteBuffersDirectory()) {
          @Override
          public IndexOutput createOutput(String name, IOContext context) throws IOException {
            IndexOutput output = in.createOutput(name, context);
            return new FilterIndexOutput(name, name, output) {
              @Override
              public void writeBytes(byte[] b, int offset, int length) throws IOException {
                long nowNanos = clock.nanoTime();
                long lastNanos = writtenAtNanos.getAndSet(nowNanos);
                longestNanos.accumulateAndGet(nowNanos - lastNanos, Math::max);
                out.writeBytes(b, offset, length);
              }
            };
          }
        }) {
      MergeLab.build(disk, SEGMENTS, DOCUMENTS, MergeLab::source);
      writtenAtNanos.set(told.quietNanos); // when it begins
      try (IndexWriter writer =
          new IndexWriter(new RateLimitedDirectory(disk, budget), MergeLab.config(scheduler))) {
        writer.forceMerge(1);
      }
    }
    assertTrue(longestNanos.get() <= 1_000_000_000L, longestNanos + " ns");
    assertTrue(longestNanos.get() >= 500_000_000L, "it did not stand aside: " + longestNanos);
  }

  @Test
  void forcedMerge_whileACommitIsAboutToFinishThere_standsAside() throws IOException {
    told.aside = false;
    try (Directory directory = new DeferredSyncDirectory(new ByteBuffersDirectory())) {
      mergeDuringACommit(directory, directory);
      assertEquals((STEPS - 1) * STEP, scheduler.totals(MergeKind.FORCED).pauses().totalNanos());

      told.whenAsked = () -> {};
      directory.createOutput("pending_segments_99", IOContext.DEFAULT).close();
      directory.rename("pending_segments_99", "segments_99");
      directory.syncMetaData();
      directory.deleteFile("segments_99"); // it is no list of segments
      MergeLab.build(directory, SEGMENTS, DOCUMENTS, MergeLab::source);
      forceMerge(directory);
      assertEquals(2, scheduler.totals(MergeKind.FORCED).done());
      assertEquals((STEPS - 1) * STEP, scheduler.totals(MergeKind.FORCED).pauses().totalNanos());
    }
  }

  /** With eight of those, merges stood for 39 % of their time, for a disk that they do not use. */
  @Test
  void forcedMerge_whileACommitIsAboutToFinishOnAnotherDisk_goesOn() throws IOException {
    told.aside = false;
    try (Directory directory = new DeferredSyncDirectory(new ByteBuffersDirectory());
        Directory other = new DeferredSyncDirectory(new ByteBuffersDirectory())) {
      mergeDuringACommit(directory, other);
      assertEquals(0, scheduler.totals(MergeKind.FORCED).pauses().totalNanos());
      other.syncMetaData();
    }
  }

  private void mergeDuringACommit(Directory merged, Directory committed) throws IOException {
    MergeLab.build(merged, SEGMENTS, DOCUMENTS, MergeLab::source);
    committed.createOutput("pending_segments_99", IOContext.DEFAULT).close();
    told.whenAsked =
        () -> { // or a slow machine would give the commit up
          committed.sync(List.of("pending_segments_99"));
          committed.sync(List.of());
        };
    forceMerge(merged);
  }

  private void forceMerge(Directory directory) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(new RateLimitedDirectory(directory, budget), MergeLab.config(scheduler))) {
      writer.forceMerge(1);
    }
  }

  @Test
  void criticalMerge_isNotAsked() throws IOException {
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, SEGMENTS, DOCUMENTS, MergeLab::source);
      IndexWriterConfig config = MergeLab.config(scheduler).setMaxFullFlushMergeWaitMillis(20_000);
      try (IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config)) {
        writer.addDocument(MergeLab.document(-1));
        DirectoryReader.open(writer).close();
      }
    }
    assertEquals(1, scheduler.totals(MergeKind.CRITICAL).done());
    assertEquals(0, scheduler.totals(MergeKind.CRITICAL).pauses().count());
    assertEquals(0, told.asked.get());
  }

  /** What they read is the merge's, and they begin and end like it, whatever a yield throws. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void threadsThatHelpWithAMerge_areToldOfToo(boolean fails) throws IOException {
    told.failure = fails ? new IllegalStateException("it was meant to") : null;
    scheduler.setMaxMergesAndThreads(6, 4);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, DOCUMENTS, MergeLab::widePoints);
      IndexWriterConfig config = MergeLab.config(scheduler).setCodec(new ThreadedPointsCodec());
      config.setMergePolicy(
          new OneMergeWrappingMergePolicy(
              config.getMergePolicy(), MergeChargeTest.Large::new)); // else nobody helps
      try (IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config)) {
        writer.forceMerge(1);
      }
      MergeLab.check(disk, 3 * DOCUMENTS);
    }
    int begun = Collections.frequency(told.news, "begins");
    assertTrue(begun >= 2, "nobody helped");
    // One that helped tells so when it has given its result back, for which alone the merge waits.
    Await.until("all have ended", () -> Collections.frequency(told.news, "ends") == begun);
    assertTrue(told.threads.stream().distinct().count() >= 2, "it was no other thread");
  }

  /** One more and indexing would stand still: the third does not stand aside, nor do the others. */
  @Test
  void merges_behindWhichIndexingWouldStandStill_doNotStandAside() throws Exception {
    ByteBudget paused = new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
    RateLimitedMergeScheduler crowded =
        new RateLimitedMergeScheduler(
            paused, clock, MergeSchedulingClass.OF_THIS_PROCESS, GraphMemory.OF_THIS_PROCESS);
    crowded.setMaxMergesAndThreads(4, 1);
    crowded.setLiftBeforeStall(false);
    crowded.setYield(told);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 6, 10, MergeLab::source);
      IndexWriterConfig config = MergeLab.config(crowded).setMergePolicy(new PairsMergePolicy());
      try (IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, paused), config)) {
        MergeLab.start(writer::maybeMerge);
        Await.until("all wait for the budget", () -> paused.snapshot().waiting() == 3);
        assertEquals(3, told.news.size(), "all have begun");
        assertTrue(told.askers.size() <= 2, "asked by " + told.askers);
        paused.setRate(Rate.UNLIMITED);
      }
    }
  }

  @Test
  void yieldThatThrows_leavesTheMergeAlone() throws IOException {
    told.failure = new IllegalStateException("it was meant to");
    forceMerge(true);

    assertEquals(1, told.asked.get());
    assertEquals(List.of("begins", "ends"), told.news);
    assertEquals(0, scheduler.totals(MergeKind.FORCED).pauses().count());
  }

  @Test
  void none_isRefused() {
    assertEquals(
        "yield",
        assertThrows(NullPointerException.class, () -> scheduler.setYield(null)).getMessage());
  }

  private void forceMerge(boolean directoryCharges) throws IOException {
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, SEGMENTS, DOCUMENTS, MergeLab::source);
      Directory directory = directoryCharges ? new RateLimitedDirectory(disk, budget) : disk;
      try (IndexWriter writer = new IndexWriter(directory, MergeLab.config(scheduler))) {
        writer.forceMerge(1);
      }
      MergeLab.check(disk, SEGMENTS * DOCUMENTS);
      assertEquals(1, MergeLab.segments(disk));
    }
  }

  /** Time passes only in here. */
  private final class Told implements MergeYield {

    private final List<String> news = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Set<Thread> askers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile RuntimeException failure;
    private volatile boolean aside = true;
    private volatile long quietNanos = STEPS * STEP;
    private volatile IORunnable whenAsked = () -> {};

    @Override
    public void mergeBegins() {
      tell("begins");
      clock.advanceNanos(quietNanos);
      fail();
    }

    @Override
    public void mergeEnds(Thread thread) {
      tell("ends");
      fail();
    }

    @Override
    public boolean standAside() {
      threads.add(Thread.currentThread());
      asked.incrementAndGet();
      askers.add(Thread.currentThread());
      clock.advanceNanos(STEP);
      fail();
      try {
        whenAsked.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return aside;
    }

    private void tell(String what) {
      threads.add(Thread.currentThread());
      news.add(what);
    }

    private void fail() {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
