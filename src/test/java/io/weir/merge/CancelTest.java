package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cancelling forced merges: also those that have not begun, and those that would follow. */
@Timeout(60)
class CancelTest {

  private static final int SEGMENTS = 8;

  private final ByteBudget budget =
      new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
  private final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);

  @Test
  void cancel_runningAndPending_endsBothAndTheCallerIsTold() throws Exception {
    scheduler.setMaxMergesAndThreads(1, 1);
    scheduler.setLiftBeforeStall(false);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, SEGMENTS, 20, MergeLab::source);
      try (IndexWriter writer = open(disk)) {
        FutureTask<Void> forced = MergeLab.forceMerge(writer);
        Await.until("one waits", () -> budget.snapshot().waiting() > 0);
        Await.until("more are pending", writer::hasPendingMerges);
        assertEquals(4, scheduler.cancelForcedMerges());
        ExecutionException told = assertThrows(ExecutionException.class, forced::get);
        assertTrue(
            told.getCause().getMessage().startsWith("background merge hit exception"),
            told.toString());
        assertInstanceOf(MergeAbortedException.class, told.getCause().getCause());
        scheduler.sync();
        // A cancellation lasts until the threads that it met have ended, a moment after sync.
        Await.until("no merge thread is left", CancelledMergeTest::noMergeThreadIsAlive);
        assertTrue(!writer.hasPendingMerges(), "the merge was taken up again");
        assertEquals(4, scheduler.totals(MergeKind.FORCED).aborted());
        assertEquals(0, scheduler.cancelForcedMerges());

        budget.setRate(Rate.UNLIMITED);
        writer.forceMerge(1); // a new one is not cancelled
        scheduler.sync();
        assertEquals(7, scheduler.totals(MergeKind.FORCED).done());
      }
      MergeLab.check(disk, SEGMENTS * 20);
      assertEquals(1, MergeLab.segments(disk));
    }
  }

  /** A natural merge that waits beside it goes on waiting. */
  @Test
  void cancel_naturalMergesRun_leavesThemAlone() throws Exception {
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 2, 20, MergeLab::source);
      try (IndexWriter writer = open(disk)) {
        writer.maybeMerge();
        Await.until("it waits", () -> budget.snapshot().waiting() == 1);
        assertEquals(0, scheduler.cancelForcedMerges());
        assertEquals(1, budget.snapshot().waiting());
        budget.setRate(Rate.UNLIMITED);
        scheduler.sync();
        assertEquals(1, scheduler.totals(MergeKind.NATURAL).done());
      }
    }
  }

  /**
   * One that forceMerge found running is part of what it waits for; but Lucene does not tell it
   * what became of a merge that is older than itself.
   */
  @Test
  void cancel_naturalMergeThatAForcedOneAdopted_endsItToo() throws Exception {
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 2, 20, MergeLab::source);
      try (IndexWriter writer = open(disk)) {
        writer.maybeMerge();
        Await.until("it waits", () -> budget.snapshot().waiting() == 1);
        FutureTask<Void> forced = MergeLab.forceMerge(writer);
        Await.until("adopted", () -> scheduler.forcedMerge().isPresent());
        assertEquals(1, scheduler.cancelForcedMerges());
        forced.get();
        scheduler.sync();
        assertEquals(1, scheduler.totals(MergeKind.NATURAL).aborted());
      }
    }
  }

  /** Nothing paces it, so nothing but the claim itself can notice. */
  @Test
  void abort_ofAMergeThatDoesNotWait_isNoticedAtTheNextGrant() throws Exception {
    budget.setRate(Rate.UNLIMITED);
    AtomicLong bytesAtAbort = new AtomicLong();
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 2, 2000, MergeLab::source);
      CountingDirectory counted = new CountingDirectory(disk);
      StepDirectory step =
          new StepDirectory(
              counted,
              10,
              () -> {
                scheduler.cancelForcedMerges();
                bytesAtAbort.set(counted.bytes());
              });
      try (IndexWriter writer = open(step)) {
        assertThrows(IOException.class, () -> writer.forceMerge(1));
        scheduler.sync();
        long after = counted.bytes() - bytesAtAbort.get();
        assertTrue(after <= 2 * ByteBudget.MAX_GRANT_BYTES, after + " bytes after the abort");
      }
    }
  }

  private IndexWriter open(Directory disk) throws IOException {
    return new IndexWriter(
        new RateLimitedDirectory(disk, budget),
        MergeLab.config(scheduler).setMergePolicy(new PairsMergePolicy()));
  }
}
