package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The three ways to close a writer while its merge is held back. */
@Timeout(60)
class CloseActionTest {

  private static final int DOCUMENTS = 300;
  private static final long BOUND_SECONDS = 5;

  private final ByteBudget budget =
      new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
  private final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
  private final MergeLab.Recorder recorder = new MergeLab.Recorder();

  CloseActionTest() {
    scheduler.addListener(recorder);
  }

  @Test
  void abort_documentsAddedSince_areCommitted() throws Exception {
    scheduler.setOnClose(CloseAction.ABORT);
    try (Directory disk = new ByteBuffersDirectory()) {
      IndexWriter writer = withMergeThatWaits(disk);
      writer.addDocument(MergeLab.document(-1));
      MergeLab.start(writer::close).get(BOUND_SECONDS, TimeUnit.SECONDS);
      MergeLab.check(disk, DOCUMENTS + 1);
      MergeLab.checkNothingLeftOver(disk);
      assertEquals(1, scheduler.totals(MergeKind.FORCED).aborted());
    }
  }

  /** More merges than may run: those that have not begun end too. */
  @Test
  void abort_mergesPending_endAsWell() throws Exception {
    scheduler.setMaxMergesAndThreads(1, 1);
    scheduler.setLiftBeforeStall(false);
    scheduler.setOnClose("abort");
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 8, DOCUMENTS / 8, MergeLab::source);
      IndexWriter writer =
          new IndexWriter(
              new RateLimitedDirectory(disk, budget),
              MergeLab.config(scheduler).setMergePolicy(new PairsMergePolicy()));
      FutureTask<Void> indexing = MergeLab.start(writer::maybeMerge); // stalls
      Await.until("a merge waits", () -> budget.snapshot().waiting() > 0);
      Await.until("more are pending", writer::hasPendingMerges);
      MergeLab.start(writer::close).get(BOUND_SECONDS, TimeUnit.SECONDS);
      indexing.get(BOUND_SECONDS, TimeUnit.SECONDS);
      MergeLab.check(disk, DOCUMENTS / 8 * 8);
      assertEquals(8, MergeLab.segments(disk));
      assertEquals(4, scheduler.totals(MergeKind.NATURAL).aborted());
    }
  }

  @Test
  void abort_addIndexesRuns_isNotAbortedButHurries() throws Exception {
    scheduler.setOnClose(CloseAction.ABORT);
    budget.setRate(Rate.perSecond(64));
    try (Directory source = new ByteBuffersDirectory();
        Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(source, 3, DOCUMENTS / 3, MergeLab::source);
      IndexWriterConfig config = MergeLab.config(scheduler).setMergePolicy(NoMergePolicy.INSTANCE);
      IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config);
      FutureTask<Void> adding =
          MergeLab.start(
              () -> {
                try (DirectoryReader reader = DirectoryReader.open(source)) {
                  writer.addIndexes(MergeKindTest.codecReaders(reader));
                }
              });
      Await.until("the merge waits", () -> budget.snapshot().waiting() > 0);
      MergeLab.start(writer::close).get(BOUND_SECONDS, TimeUnit.SECONDS);
      Await.until("addIndexes has ended", adding::isDone);
      scheduler.sync();
      assertEquals(1, scheduler.totals(MergeKind.OTHER).done());
    }
  }

  @Test
  void default_pausedMerge_finishesAtFullSpeed() throws Exception {
    try (Directory disk = new ByteBuffersDirectory()) {
      IndexWriter writer = withMergeThatWaits(disk);
      MergeLab.start(writer::close).get(BOUND_SECONDS, TimeUnit.SECONDS);
      MergeLab.check(disk, DOCUMENTS);
      assertEquals(1, MergeLab.segments(disk));
      assertEquals(1, scheduler.totals(MergeKind.FORCED).done());
    }
  }

  @Test
  void finish_pausedMerge_waitsUntilTheBudgetGivesSome() throws Exception {
    scheduler.setOnClose("finish");
    try (Directory disk = new ByteBuffersDirectory()) {
      IndexWriter writer = withMergeThatWaits(disk);
      FutureTask<Void> closed = MergeLab.start(writer::close);
      Await.until("the writer closes", () -> !writer.isOpen() || closing(writer));
      assertTrue(!closed.isDone(), "it did not wait");
      assertEquals(1, budget.snapshot().waiting());
      budget.setRate(Rate.UNLIMITED);
      closed.get(BOUND_SECONDS, TimeUnit.SECONDS);
      assertEquals(1, MergeLab.segments(disk));
    }
  }

  /** A scheduler may serve one writer after another. */
  @Test
  void abort_thenAnotherWriter_mergesAsIfNothingHadBeen() throws Exception {
    scheduler.setOnClose(CloseAction.ABORT);
    try (Directory disk = new ByteBuffersDirectory()) {
      withMergeThatWaits(disk).close();
      budget.setRate(Rate.UNLIMITED);
      try (IndexWriter writer = new IndexWriter(disk, MergeLab.config(scheduler))) {
        writer.forceMerge(1);
      }
      assertEquals(1, MergeLab.segments(disk));
      assertEquals(1, scheduler.totals(MergeKind.FORCED).aborted());
      assertEquals(1, scheduler.totals(MergeKind.FORCED).done());
    }
  }

  /** Lucene's executors refuse work after the first close. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1L << 30})
  void close_thenAnotherWriter_hasThreadsWithinAMerge(long estimatedBytes) throws Exception {
    scheduler.setMaxMergesAndThreads(8, 4);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 2, 10, MergeLab::source);
      new IndexWriter(disk, MergeLab.config(scheduler)).close();
      try (IndexWriter writer = new IndexWriter(disk, MergeLab.config(scheduler))) {
        OneMerge merge = new OneMerge(SegmentInfos.readLatestCommit(disk).asList());
        merge.estimatedMergeBytes = estimatedBytes;
        FutureTask<Thread> task = new FutureTask<>(Thread::currentThread);
        scheduler.getIntraMergeExecutor(merge).execute(task);
        boolean own = task.get(BOUND_SECONDS, TimeUnit.SECONDS) == Thread.currentThread();
        assertEquals(estimatedBytes == 1, own, "only large merges get threads");
        assertTrue(writer.isOpen());
      }
    }
  }

  @Test
  void setOnClose_unknownName_isRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> scheduler.setOnClose("later"));
    assertEquals("onClose must be one of [lift, finish, abort]: later", refused.getMessage());
  }

  /** {@code isOpen} turns false only at the end, but operations are refused before. */
  private static boolean closing(IndexWriter writer) {
    try {
      writer.hasPendingMerges();
      writer.getDocStats();
      return false;
    } catch (AlreadyClosedException e) {
      return true;
    }
  }

  private IndexWriter withMergeThatWaits(Directory disk) throws Exception {
    MergeLab.build(disk, 3, DOCUMENTS / 3, MergeLab::source);
    IndexWriter writer =
        new IndexWriter(new RateLimitedDirectory(disk, budget), MergeLab.config(scheduler));
    writer.forceMerge(1, false);
    Await.until("the merge waits", () -> budget.snapshot().waiting() > 0);
    return writer;
  }
}
