package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.FaultyDirectory;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tracked merges that are stopped or fail: they end at once, and nothing of them is left. */
@Timeout(60)
@SuppressWarnings("try")
class TrackedAbortTest {

  private static final int DOCUMENTS = 400;
  private static final long BOUND_SECONDS = 5;

  private final ByteBudget budget =
      new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
  private final TrackerLab lab = new TrackerLab(new ByteBuffersDirectory(), budget);

  /** How a merge is stopped. */
  enum Stop {
    ROLLBACK {
      @Override
      void run(IndexWriter writer, MergeTracker tracker) throws IOException {
        writer.rollback();
      }
    },
    DELETE_ALL {
      @Override
      void run(IndexWriter writer, MergeTracker tracker) throws IOException {
        writer.deleteAll();
      }
    },
    CANCEL {
      @Override
      void run(IndexWriter writer, MergeTracker tracker) {
        assertEquals(1, tracker.cancelForcedMerges());
      }
    };

    abstract void run(IndexWriter writer, MergeTracker tracker) throws IOException;
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void stop_whileTheMergeWaits_endsItAtOnceAndLeavesNothing(Stop stop) throws Exception {
    MergeLab.build(lab.disk, 4, DOCUMENTS / 4, MergeLab::source);
    IndexWriter writer = lab.open();
    FutureTask<Void> forced = MergeLab.forceMerge(writer);
    lab.awaitWaiting();

    long startNanos = System.nanoTime();
    MergeLab.start(() -> stop.run(writer, lab.tracker)).get(BOUND_SECONDS, TimeUnit.SECONDS);
    lab.awaitNoneRuns();
    Duration taken = Duration.ofNanos(System.nanoTime() - startNanos);
    assertThrows(ExecutionException.class, () -> forced.get(BOUND_SECONDS, TimeUnit.SECONDS));

    assertTrue(taken.toSeconds() < BOUND_SECONDS, "it took " + taken);
    assertEquals(1, lab.tracker.totals(MergeKind.FORCED).aborted());
    lab.checkSettled();
    lab.scheduler.sync();
    if (stop == Stop.CANCEL) {
      MergeLab.checkNothingLeftOver(lab.disk);
    }
    writer.close();
    MergeLab.check(lab.disk, stop == Stop.DELETE_ALL ? 0 : DOCUMENTS);
    MergeLab.checkNothingLeftOver(lab.disk);
  }

  /** While a merge verifies its input it writes nothing, so only its reads can end it. */
  @Test
  void cancel_whileTheMergeVerifies_endsItBeforeItsNextWrite() throws Exception {
    budget.setRate(Rate.UNLIMITED);
    MergeLab.build(lab.disk, 2, DOCUMENTS / 2, MergeLab::source);
    CountDownLatch verifying = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    lab.tracker.setYield(
        new MergeYield() {
          @Override
          public void mergeBegins() {
            // It may pause half of its time, so it does not ask before it has run for two steps.
            MergeLab.unchecked(() -> new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS));
          }

          @Override
          public boolean standAside() {
            if (verifying.getCount() > 0 && isVerifying()) {
              verifying.countDown();
              MergeLab.unchecked(cancelled::await);
            }
            return false;
          }
        });
    Directory directory = new RateLimitedDirectory(new MergeReadsDirectory(lab.disk), budget);
    try (IndexWriter writer = new IndexWriter(directory, lab.config())) {
      FutureTask<Void> forced = MergeLab.forceMerge(writer);
      verifying.await();
      assertEquals(1, lab.tracker.cancelForcedMerges());
      long writtenBytes = lab.tracker.totals(MergeKind.FORCED).writtenBytes();
      cancelled.countDown();
      assertThrows(ExecutionException.class, forced::get);
      assertEquals(writtenBytes, lab.tracker.totals(MergeKind.FORCED).writtenBytes());
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, DOCUMENTS);
  }

  /** One may run, so three are pending: each ends when it begins. */
  @Test
  void cancel_pendingMerges_endWhenTheyBegin() throws Exception {
    lab.scheduler.setMaxMergesAndThreads(2, 1);
    MergeLab.build(lab.disk, 8, 20, MergeLab::source);
    try (IndexWriter writer = lab.open(new PairsMergePolicy());
        AutoCloseable end = lab.unlimitedInTheEnd()) {
      FutureTask<Void> forced = MergeLab.forceMerge(writer);
      Await.until("two wait", () -> lab.tracker.running().size() == 2);
      Await.until("more are pending", writer::hasPendingMerges);
      assertEquals(4, lab.tracker.cancelForcedMerges());
      ExecutionException thrown = assertThrows(ExecutionException.class, forced::get);
      assertInstanceOf(MergeAbortedException.class, thrown.getCause().getCause());
      lab.scheduler.sync();
      Await.until("all have ended", () -> !writer.hasPendingMerges());
      lab.checkSettled();
      assertEquals(4, lab.tracker.totals(MergeKind.FORCED).aborted());

      budget.setRate(Rate.UNLIMITED);
      writer.forceMerge(1); // a new one is not cancelled
      assertEquals(7, lab.tracker.totals(MergeKind.FORCED).done());
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, 160);
    assertEquals(1, MergeLab.segments(lab.disk));
  }

  @Test
  void cancel_naturalMergeRuns_leavesItAlone() throws Exception {
    MergeLab.build(lab.disk, 2, 20, MergeLab::source);
    try (IndexWriter writer = lab.open(new PairsMergePolicy());
        AutoCloseable end = lab.unlimitedInTheEnd()) {
      writer.maybeMerge();
      lab.awaitWaiting();
      assertEquals(0, lab.tracker.cancelForcedMerges());
      assertEquals(1, budget.snapshot().waiting());
      budget.setRate(Rate.UNLIMITED);
      lab.scheduler.sync();
      assertEquals(1, lab.tracker.totals(MergeKind.NATURAL).done());
    }
    lab.checkSettled();
  }

  /** The cancellation comes between the end of one forced merge and the choice of the next. */
  @Test
  void cancel_betweenTwoMergesOfOneForceMerge_endsTheNext() throws Exception {
    budget.setRate(Rate.UNLIMITED);
    MergeLab.build(lab.disk, 4, 20, MergeLab::source);
    AtomicInteger finished = new AtomicInteger();
    lab.tracker.addListener(
        new MergeListener() {
          @Override
          public void mergeFinished(MergeTotals merge) {
            if (finished.incrementAndGet() == 2) {
              lab.tracker.cancelForcedMerges();
            }
          }
        });
    try (IndexWriter writer =
        new IndexWriter(
            lab.directory,
            lab.config(new SerialMergeScheduler())
                .setMergePolicy(lab.tracker.track(new PairsMergePolicy())))) {
      assertThrows(IOException.class, () -> writer.forceMerge(1));
      assertEquals(2, lab.tracker.totals(MergeKind.FORCED).done());
      assertEquals(1, lab.tracker.totals(MergeKind.FORCED).aborted());
      writer.forceMerge(1);
    }
    lab.checkSettled();
    assertEquals(1, MergeLab.segments(lab.disk));
  }

  /** The writer wraps it, so that its abort does not show; it must end all the same. */
  @Test
  void rollback_whileACriticalMergeRuns_endsIt() throws Exception {
    MergeLab.build(lab.disk, 14, 20, MergeLab::source);
    CountDownLatch rolled = new CountDownLatch(1);
    StepDirectory held = new StepDirectory(lab.disk, 20, rolled::await);
    IndexWriterConfig config = lab.config().setMaxFullFlushMergeWaitMillis(50_000);
    IndexWriter writer = new IndexWriter(new RateLimitedDirectory(held, budget), config);
    writer.deleteDocuments(new Term("id", "1"));
    FutureTask<Void> reopening = MergeLab.start(() -> DirectoryReader.open(writer).close());
    Await.until("it is held", () -> !held.struckAt().isEmpty());
    assertEquals(MergeKind.CRITICAL, lab.tracker.running().get(0).kind());
    FutureTask<Void> rollback = MergeLab.start(writer::rollback);
    Await.until("it is rolled back", () -> !writer.isOpen());
    rolled.countDown();
    rollback.get(BOUND_SECONDS, TimeUnit.SECONDS);
    Await.until("the reopen has ended", reopening::isDone);
    lab.checkSettled();
    assertEquals(0, lab.tracker.totals(MergeKind.CRITICAL).failed());
    MergeLab.check(lab.disk, 280);
  }

  /** Lucene aborts it and waits for its end. */
  @Test
  void rollback_whileAddIndexesWaits_endsIt() throws Exception {
    try (Directory source = new ByteBuffersDirectory()) {
      MergeLab.build(source, 2, 50, MergeLab::source);
      IndexWriter writer = lab.open();
      FutureTask<Void> adding =
          MergeLab.start(
              () -> {
                try (DirectoryReader reader = DirectoryReader.open(source)) {
                  writer.addIndexes(MergeKindTest.codecReaders(reader));
                }
              });
      lab.awaitWaiting();
      MergeLab.start(writer::rollback).get(BOUND_SECONDS, TimeUnit.SECONDS);
      Await.until("addIndexes returns", adding::isDone);
    }
    lab.checkSettled();
    assertEquals(1, lab.tracker.totals(MergeKind.OTHER).aborted());
  }

  /** Operation i of the disk fails, and all after it; i grows until the merge is done before. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fault_atAnyStepOfAMerge_leavesNothingRegistered(boolean serial) throws Exception {
    int faults = 0;
    for (long step = 0; failsAt(step, serial); step += 3) {
      faults++;
    }
    assertTrue(faults > 10, "only " + faults + " faults: the merge is too small");
  }

  /** What is put off is verified when the merge first reads it. */
  private static boolean isVerifying() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("verifyNow")));
  }

  private static boolean failsAt(long step, boolean serial) throws Exception {
    FaultyDirectory faulty = new FaultyDirectory(new ByteBuffersDirectory());
    TrackerLab lab = new TrackerLab(faulty, ByteBudget.unlimited());
    MergeLab.build(faulty, 3, 50, MergeLab::text);
    IndexWriterConfig config = serial ? lab.config(new SerialMergeScheduler()) : lab.config();
    IndexWriter writer = new IndexWriter(lab.directory, config);
    faulty.failFrom(step);
    try {
      writer.forceMerge(1);
    } catch (IOException | RuntimeException e) {
      assertTrue(faulty.failed(), "failed without a fault: " + e);
    }
    boolean failed = faulty.failed();
    faulty.heal();
    writer.rollback();
    lab.checkSettled();
    assertEquals(failed ? 1 : 0, lab.tracker.totals(MergeKind.FORCED).failed());
    MergeLab.check(faulty, 150);
    return failed;
  }
}
