package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A forced merge is stopped while it waits, by each way there is. That it waits is certain: the
 * budget is paused, or so low that the merge would take an hour.
 */
@Timeout(60)
class AbortTest {

  private static final int DOCUMENTS = 300;
  private static final long BOUND_SECONDS = 5;
  private static final Directory INDEX = new ByteBuffersDirectory();

  @BeforeAll
  static void build() throws IOException {
    MergeLab.build(INDEX, 3, DOCUMENTS / 3, AbortTest::fields);
  }

  /** How a merge is stopped. */
  enum Stop {
    ROLLBACK {
      @Override
      void run(IndexWriter writer, RateLimitedMergeScheduler scheduler) throws IOException {
        writer.rollback();
      }
    },
    CLOSE {
      @Override
      void run(IndexWriter writer, RateLimitedMergeScheduler scheduler) throws IOException {
        scheduler.setOnClose(CloseAction.ABORT);
        writer.close();
      }
    },
    DELETE_ALL {
      @Override
      void run(IndexWriter writer, RateLimitedMergeScheduler scheduler) throws IOException {
        writer.deleteAll();
      }
    },
    CANCEL {
      @Override
      void run(IndexWriter writer, RateLimitedMergeScheduler scheduler) throws IOException {
        assertEquals(1, scheduler.cancelForcedMerges());
      }
    };

    abstract void run(IndexWriter writer, RateLimitedMergeScheduler scheduler) throws IOException;
  }

  @ParameterizedTest
  @CsvSource({
    "ROLLBACK,true,true", "CLOSE,true,true", "DELETE_ALL,true,true", "CANCEL,true,true",
    "ROLLBACK,false,true", "CLOSE,false,true", "DELETE_ALL,false,true", "CANCEL,false,true",
    "ROLLBACK,true,false", "CLOSE,true,false", "DELETE_ALL,true,false", "CANCEL,true,false"
  })
  void stop_whileTheMergeWaits_endsItAtOnce(Stop stop, boolean paused, boolean directoryCharges)
      throws Exception {
    ByteBudget budget =
        new ByteBudget(
            BudgetOptions.named("test").withRate(paused ? Rate.PAUSED : Rate.perSecond(64)));
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    MergeLab.Recorder recorder = new MergeLab.Recorder();
    scheduler.addListener(recorder);
    try (Directory disk = MergeLab.copyOf(INDEX)) {
      Directory directory = directoryCharges ? new RateLimitedDirectory(disk, budget) : disk;
      IndexWriter writer = new IndexWriter(directory, MergeLab.config(scheduler));
      FutureTask<Void> forced = MergeLab.forceMerge(writer);
      Await.until("the merge waits", () -> budget.snapshot().waiting() > 0);

      FutureTask<Void> stopped = MergeLab.start(() -> stop.run(writer, scheduler));
      stopped.get(BOUND_SECONDS, TimeUnit.SECONDS);
      assertThrows(ExecutionException.class, () -> forced.get(BOUND_SECONDS, TimeUnit.SECONDS));

      scheduler.sync();
      assertEquals(0, budget.snapshot().waiting());
      assertEquals(MergeTotals.Outcome.ABORTED, recorder.finished.get(0).outcome());
      assertEquals(1, scheduler.totals(MergeKind.FORCED).aborted());
      assertEquals(0, scheduler.running().size());
      writer.close();
      MergeLab.check(disk, stop == Stop.DELETE_ALL ? 0 : DOCUMENTS);
      MergeLab.checkNothingLeftOver(disk);
    }
  }

  /**
   * The merge is aborted at its i-th grant, i grows until it is done before: in the stored fields,
   * in temporary files, in the compound file and in the {@code .si}. The writer lives on.
   */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  @Timeout(180)
  void cancel_atAnyWrite_leavesTheIndexWholeAndNothingBehind(boolean directoryCharges)
      throws Exception {
    Set<String> struck = new HashSet<>();
    int aborts = 0;
    try (Directory disk = MergeLab.copyOf(INDEX)) {
      for (int step = 1; cancelAt(disk, step, directoryCharges, struck); step++) {
        aborts++;
      }
      MergeLab.check(disk, DOCUMENTS);
      assertEquals(1, MergeLab.segments(disk));
    }
    assertTrue(aborts > 50, "only " + aborts + " steps: the merge is too small");
    assertTrue(struck.containsAll(Set.of("fdt", "tmp", "cfs", "si")), "not in " + struck);
  }

  /** Whether the merge was still there to be aborted. */
  private static boolean cancelAt(
      Directory disk, int step, boolean directoryCharges, Set<String> struck) throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.named("test"));
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    StepDirectory aborting = new StepDirectory(disk, step, scheduler::cancelForcedMerges);
    Directory directory = directoryCharges ? new RateLimitedDirectory(aborting, budget) : aborting;
    IndexWriterConfig config = MergeLab.config(scheduler);
    config.getMergePolicy().setNoCFSRatio(1);
    boolean aborted;
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      try {
        writer.forceMerge(1); // returns as if all were well when the compound file was begun
      } catch (IOException e) {
        assertInstanceOf(MergeAbortedException.class, e.getCause());
      }
      scheduler.sync();
      aborted = scheduler.totals(MergeKind.FORCED).aborted() == 1;
      if (aborted) {
        struck.add(IndexFileNames.getExtension(aborting.struckAt()));
        MergeLab.checkNothingLeftOver(disk);
        writer.deleteDocuments(new Term("id", "none")); // the writer still works
      }
      writer.commit();
    }
    MergeLab.check(disk, DOCUMENTS);
    return aborted;
  }

  /**
   * The budget is paused at the i-th step of the merge; it is stopped when it waits for the next
   * grant. Every seventh step, as neighbours are much alike.
   */
  @ParameterizedTest
  @EnumSource(
      value = Stop.class,
      names = {"ROLLBACK", "CLOSE", "DELETE_ALL"})
  @Timeout(180)
  void stop_whereverTheMergeIsPaused_leavesTheIndexWhole(Stop stop) throws Exception {
    Set<String> struck = new HashSet<>();
    try (Directory disk = MergeLab.copyOf(INDEX)) {
      for (int step = 1; stopAt(disk, step, stop, struck); step += 7) {
        MergeLab.check(disk, DOCUMENTS);
        MergeLab.checkNothingLeftOver(disk);
      }
      MergeLab.check(disk, DOCUMENTS);
    }
    assertTrue(struck.containsAll(Set.of("fdt", "tmp", "cfs")), "not in " + struck);
  }

  /** Whether the merge was there to be stopped. */
  private static boolean stopAt(Directory disk, int step, Stop stop, Set<String> struck)
      throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.named("test"));
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    StepDirectory pausing = new StepDirectory(disk, step, () -> budget.setRate(Rate.PAUSED));
    IndexWriterConfig config = MergeLab.config(scheduler);
    config.getMergePolicy().setNoCFSRatio(1);
    IndexWriter writer = new IndexWriter(new RateLimitedDirectory(pausing, budget), config);
    FutureTask<Void> forced = MergeLab.forceMerge(writer);
    Await.until(
        "the merge waits or is done", () -> budget.snapshot().waiting() > 0 || forced.isDone());
    boolean there = !forced.isDone(); // what closes a file waits for a moment, and goes on
    if (there) {
      struck.add(IndexFileNames.getExtension(pausing.struckAt()));
      MergeLab.start(() -> stop.run(writer, scheduler)).get(BOUND_SECONDS, TimeUnit.SECONDS);
      Await.until("forceMerge returns", forced::isDone);
    }
    writer.rollback();
    return there;
  }

  @Test
  void cancel_withNoForcedMerge_doesNothing() throws Exception {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();
    assertEquals(0, scheduler.cancelForcedMerges());
  }

  private static void fields(Document document, Random random) {
    MergeLab.text(document, random);
    MergeLab.source(document, random);
    document.add(
        new KnnFloatVectorField("vector", new float[] {random.nextFloat(), random.nextFloat()}));
  }
}
