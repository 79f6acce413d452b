package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.merge.BacklogMonitor.StalledThreads;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import io.weir.time.NanoClock;
import java.util.OptionalLong;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cap that gives way must do so in time, come back, and be told as it is. */
@Timeout(60)
class LiftedCapTest {

  private final ByteBudget budget = ByteBudget.perSecond(1000);

  /** Merge threads and indexing threads look at the backlog at the same time. */
  @Test
  void look_onTwoThreads_leavesTheCapAsWasDecidedLast() throws Exception {
    WriterMerges merges =
        new WriterMerges(
            budget,
            NanoClock.SYSTEM,
            MergeSchedulingClass.OF_THIS_PROCESS,
            GraphMemory.OF_THIS_PROCESS,
            message -> {});
    BacklogMonitor monitor = merges.backlog;
    Logger log = Logger.getLogger(RateLimitedMergeScheduler.class.getPackageName());
    log.setLevel(Level.OFF);
    try {
      FutureTask<Void> stalling = MergeLab.start(() -> look(monitor, true));
      look(monitor, false);
      stalling.get();
    } finally {
      log.setLevel(null);
    }
    monitor.look(6, StalledThreads.Activity.NONE);
    assertTrue(
        merges.budgets.arePaced(),
        "no backlog, but no cap either, and nothing would bring it back");
  }

  private static void look(BacklogMonitor monitor, boolean stalling) {
    for (int i = 0; i < 100_000; i++) {
      monitor.look(6, stalling ? StalledThreads.Activity.INDEXING : StalledThreads.Activity.NONE);
    }
  }

  /** Indexing stands still when the cap comes: no merge starts or ends any more to notice it. */
  @Test
  void stall_thatBeganBeforeTheCap_isEndedByTheLift() throws Exception {
    budget.setRate(Rate.PAUSED);
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setMaxMergesAndThreads(1, 1);
    scheduler.setLiftBeforeStall(false);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 8, 10, MergeLab::source);
      try (IndexWriter writer =
          new IndexWriter(
              new RateLimitedDirectory(disk, budget),
              MergeLab.config(scheduler).setMergePolicy(new PairsMergePolicy()))) {
        FutureTask<Void> indexing = MergeLab.start(writer::maybeMerge);
        Await.until("a merge waits", () -> budget.snapshot().waiting() == 1);
        Await.until("more are pending", writer::hasPendingMerges);
        scheduler.setLiftBeforeStall(true);
        indexing.get(60, TimeUnit.SECONDS);
      }
    }
  }

  /** The news of the lift fails; the thread that indexes is not to hear of it. */
  @Test
  void lift_logThatThrows_hurtsNobody() throws Exception {
    budget.setRate(Rate.PAUSED);
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setMaxMergesAndThreads(2, 1);
    Handler throwing = new ThrowingHandler();
    Logger log = Logger.getLogger(RateLimitedMergeScheduler.class.getPackageName());
    log.addHandler(throwing);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 8, 10, MergeLab::source);
      try (IndexWriter writer =
          new IndexWriter(
              new RateLimitedDirectory(disk, budget),
              MergeLab.config(scheduler).setMergePolicy(new PairsMergePolicy()))) {
        writer.maybeMerge();
        budget.setRate(Rate.UNLIMITED); // with no backlog the cap holds again
        scheduler.sync();
      }
      MergeLab.check(disk, 80);
    } finally {
      log.removeHandler(throwing);
    }
    assertEquals(0, scheduler.totals(MergeKind.NATURAL).failed());
  }

  private static final class ThrowingHandler extends Handler {

    @Override
    public void publish(LogRecord record) {
      throw new IllegalStateException("the log is full");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void cap_ofMergesThatAreOnlyDebited_isNone() {
    MergeBudgets budgets = new MergeBudgets(budget);
    assertEquals(OptionalLong.of(1000), budgets.capBytesPerSecond());
    budgets.setLifted(true);
    assertEquals(OptionalLong.of(1000), budgets.capBytesPerSecond());
    budgets.setPacing(MergeKind.NATURAL, Pacing.DEBITED);
    assertEquals(OptionalLong.empty(), budgets.capBytesPerSecond());
    budgets.setPacing(MergeKind.NATURAL, Pacing.PACED);
    budget.setPacing(Pacing.DEBITED);
    assertEquals(OptionalLong.empty(), budgets.capBytesPerSecond());
  }

  /** The budget of a directory that was closed long ago caps nothing. */
  @Test
  void cap_afterAnotherWriter_isThatOfItsDirectoryOnly() throws Exception {
    budget.setRate(Rate.UNLIMITED);
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    for (Rate rate : new Rate[] {Rate.perSecond(2_000_000), Rate.UNLIMITED}) {
      ByteBudget ofIndex = budget.child(BudgetOptions.named("index").withRate(rate));
      try (Directory disk = new ByteBuffersDirectory()) {
        MergeLab.build(disk, 3, 10, MergeLab::source);
        try (IndexWriter writer =
            new IndexWriter(new RateLimitedDirectory(disk, ofIndex), MergeLab.config(scheduler))) {
          writer.forceMerge(1);
          assertEquals(rate.isLimited(), scheduler.debt().capBytesPerSecond().isPresent());
        }
      }
    }
  }
}
