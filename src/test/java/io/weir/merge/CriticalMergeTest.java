package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader or a commit waits for never waits for the cap. */
@Timeout(30)
class CriticalMergeTest {

  /** A test fails by its time limit if a reopen waits for the full flush of a paused merge. */
  private static final long WAIT_MILLIS = 20_000;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reopenAndCommit_manyAtOneKilobyteASecond_neverPauseAMergeTheyWaitFor(
      boolean directoryCharges) throws Exception {
    ByteBudget budget = ByteBudget.perSecond(1000);
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    IndexWriterConfig config =
        MergeLab.config(scheduler).setMaxFullFlushMergeWaitMillis(WAIT_MILLIS);
    Random random = new Random(1);
    int documents = 0;
    try (Directory disk = new ByteBuffersDirectory()) {
      Directory directory = directoryCharges ? new RateLimitedDirectory(disk, budget) : disk;
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int round = 0; round < 60; round++) {
          for (int i = 0; i < 5; i++) {
            Document document = MergeLab.document(documents++);
            MergeLab.source(document, random);
            writer.addDocument(document);
          }
          if (round % 5 == 4) {
            writer.commit();
          } else {
            DirectoryReader.open(writer).close();
          }
        }
        MergeKindTotals critical = scheduler.totals(MergeKind.CRITICAL);
        assertTrue(critical.done() >= 3, "too few: " + critical);
        assertTrue(critical.writtenBytes() > 50_000, "they wrote too little: " + critical);
        assertEquals(0, critical.pauses().count());
        assertEquals(0, critical.pauses().totalNanos());
        assertTrue(budget.snapshot().debtBytes() > 0, "they were not owed");
      }
      MergeLab.check(disk, documents);
    }
  }

  /** Lucene stops its largest merges when too many run; it must not get at these. */
  @Test
  void wrapForMerge_critical_isNotUnderLucenesLimiter() throws Exception {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();
    scheduler.setForceMergeMBPerSec(0);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 14, 5, MergeLab::source);
      IndexWriterConfig config =
          MergeLab.config(scheduler).setMaxFullFlushMergeWaitMillis(WAIT_MILLIS);
      try (IndexWriter writer = new IndexWriter(disk, config)) {
        writer.addDocument(MergeLab.document(-1));
        writer.commit();
        Await.until("it is done", () -> scheduler.totals(MergeKind.CRITICAL).done() == 1);
      }
    }
  }

  /**
   * As many merges as may run wait, more are pending: a reopen gets its own merges all the same.
   */
  @Test
  void reopen_whileTooManyMergesWait_isServed() throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setMaxMergesAndThreads(2, 1);
    scheduler.setLiftBeforeStall(false);
    scheduler.setRate(MergeKind.NATURAL, Rate.perSecond(1));
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 8, 10, MergeLab::source);
      IndexWriterConfig config =
          MergeLab.config(scheduler)
              .setMergePolicy(new PairsMergePolicy())
              .setMaxFullFlushMergeWaitMillis(0);
      try (IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config)) {
        FutureTask<Void> stalled = MergeLab.start(writer::maybeMerge);
        Await.until("merges wait", () -> budget.snapshot().waiting() == 2);
        Await.until("and more are pending", writer::hasPendingMerges);
        writer.addDocument(MergeLab.document(-1));
        DirectoryReader.open(writer).close(); // would stand still in Lucene's scheduler
        writer.addDocument(MergeLab.document(-2));
        writer.commit();
        assertTrue(!stalled.isDone(), "indexing was to stand still");
        assertEquals(2, scheduler.running().size(), "nothing more was to run");
        budget.setRate(Rate.UNLIMITED);
        scheduler.setRate(MergeKind.NATURAL, Rate.UNLIMITED);
        stalled.get();
      }
    }
  }

  /**
   * The same with merges that the reader or the commit waits for: they begin, though too many run.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reopenOrCommit_withMergesOfItsOwnWhileTooManyWait_doesNotWaitInVain(boolean reopens)
      throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setMaxMergesAndThreads(2, 1);
    scheduler.setLiftBeforeStall(false);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 7, 10, MergeLab::source);
      IndexWriterConfig config =
          MergeLab.config(scheduler)
              .setMergePolicy(new PairsAtCommitMergePolicy())
              .setMaxFullFlushMergeWaitMillis(WAIT_MILLIS);
      try (IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config)) {
        MergeLab.start(writer::maybeMerge); // stands still
        Await.until("merges wait", () -> budget.snapshot().waiting() == 2);
        Await.until("and more are pending", writer::hasPendingMerges);
        writer.addDocument(MergeLab.document(-1));
        if (reopens) {
          try (DirectoryReader reader = DirectoryReader.open(writer)) {
            assertEquals(7, reader.leaves().size(), "it did not wait for its merge");
          }
        } else {
          writer.commit();
          assertEquals(7, MergeLab.segments(disk), "it did not wait for its merge");
        }
        Await.until("told", () -> scheduler.totals(MergeKind.CRITICAL).done() == 1);
        assertEquals(0, scheduler.totals(MergeKind.CRITICAL).pauses().count());
        assertEquals(3, scheduler.running().size(), "one was before it in the queue");
      }
    }
  }

  /** It is nobody's backlog: not Lucene's, which would stall indexing, and not ours. */
  @Test
  void criticalMerge_whileItRuns_isNotCountedAmongThoseThatAreAllowed() throws Exception {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();
    CountDownLatch seen = new CountDownLatch(1);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 14, 5, MergeLab::source);
      StepDirectory held = new StepDirectory(disk, 20, seen::await);
      IndexWriterConfig config =
          MergeLab.config(scheduler).setMaxFullFlushMergeWaitMillis(WAIT_MILLIS);
      try (IndexWriter writer = new IndexWriter(held, config)) {
        writer.deleteDocuments(new Term("id", "1"));
        FutureTask<Void> committing = MergeLab.start(writer::commit);
        Await.until("it is held", () -> !held.struckAt().isEmpty());
        assertEquals(MergeKind.CRITICAL, scheduler.running().get(0).kind());
        int counted = scheduler.mergeThreadCount();
        int backlog = scheduler.debt().runningMerges();
        seen.countDown();
        committing.get();
        assertEquals(0, counted);
        assertEquals(0, backlog);
      }
    }
  }

  /** Pairs, for a commit too. */
  private static final class PairsAtCommitMergePolicy extends FilterMergePolicy {

    PairsAtCommitMergePolicy() {
      super(new PairsMergePolicy());
    }

    @Override
    public MergeSpecification findFullFlushMerges(
        MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
      return findMerges(trigger, infos, context);
    }
  }
}
