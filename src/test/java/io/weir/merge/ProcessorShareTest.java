package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.GraphPool;
import io.weir.fakes.SteppedClock;
import io.weir.rate.BudgetListener;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merges use no more of the processors than their share, whoever runs them. */
@Timeout(120)
class ProcessorShareTest {

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final BudgetListener NONE = new BudgetListener() {};

  private final SteppedClock clock = new SteppedClock();
  private final Map<Thread, Long> used = new ConcurrentHashMap<>();
  private final MergeProcessorTime time =
      new MergeProcessorTime(thread -> used.getOrDefault(thread, -1L), new LongAdder());
  private final ProcessorShare half = ProcessorShare.ofCores(0.5, clock);
  private final MergeBudgets budgets = new MergeBudgets(ByteBudget.unlimited());

  private ProcessorAccount account(MergeKind kind) {
    budgets.setProcessors(half.budget());
    ByteBudget own = budgets.processorsForMerge(kind).orElseThrow();
    uses(0);
    time.begins();
    return new ProcessorAccount(time, own, own.parking(), NONE, clock);
  }

  private void uses(long nanos) {
    used.put(Thread.currentThread(), nanos);
  }

  /** Pays on this thread, while another one moves the clock. Returns how long it waited. */
  private long waitOf(ProcessorAccount account) throws Exception {
    long began = clock.nanoTime();
    Thread me = Thread.currentThread();
    FutureTask<Void> time =
        MergeLab.start(
            () -> {
              while (clock.awaitQuiet(List.of(me)) > 0) {
                clock.advanceNanos(clock.nanosToNextWakeUp());
              }
            });
    account.pay();
    clock.leave();
    time.get();
    return clock.nanoTime() - began;
  }

  @Test
  void pay_beyondTheBurst_waitsToTheNanosecond() throws Exception {
    ProcessorAccount account = account(MergeKind.FORCED);
    uses(25 * MILLI); // 50 ms of half a core
    account.pay();
    clock.advanceNanos(2 * MILLI); // gives 1 ms
    uses(35 * MILLI);

    assertEquals(18 * MILLI, waitOf(account));

    assertEquals(Duration.ofMillis(35), half.paid());
    assertEquals(Duration.ofMillis(18), half.waited());
    assertEquals(18 * MILLI, account.waitNanos());
  }

  @Test
  void pay_aMomentAfterTheLastTime_looksAtNothing() throws Exception {
    ProcessorAccount account = account(MergeKind.FORCED);
    uses(MILLI);
    account.pay();
    uses(2 * MILLI);
    clock.advanceNanos(ProcessorAccount.LOOK_NANOS - 1);
    account.pay();
    assertEquals(Duration.ofMillis(1), half.paid());

    clock.advanceNanos(1);
    account.pay();
    assertEquals(Duration.ofMillis(2), half.paid());
  }

  /** Fractions of a microsecond are neither lost nor paid twice. */
  @Test
  void pay_ofFractions_paysTheirSum() throws Exception {
    ProcessorAccount account = account(MergeKind.FORCED);
    for (int i = 1; i <= 1000; i++) {
      uses(i * 999L);
      account.pay();
      clock.advanceNanos(ProcessorAccount.LOOK_NANOS);
    }
    assertEquals(Duration.ofNanos(999_000), half.paid());
  }

  @Test
  void pay_ofACriticalMerge_passesAndIsOwed() throws Exception {
    ProcessorAccount account = account(MergeKind.CRITICAL);
    uses(100 * MILLI);
    account.pay();
    assertEquals(Duration.ofMillis(100), half.paid());
    assertEquals(Duration.ZERO, half.waited());
    assertEquals(75_000, half.budget().snapshot().debtBytes());
  }

  @Test
  void end_withUnpaidTime_owesIt() {
    ProcessorAccount account = account(MergeKind.FORCED);
    uses(100 * MILLI);
    account.end();
    assertEquals(75_000, half.budget().snapshot().debtBytes());
  }

  /** Merges pay without a limit too, so that one can be set at any time. */
  @Test
  void setCores_afterMergesWithoutALimit_findsNoDebt() throws Exception {
    half.setUnlimited();
    ProcessorAccount account = account(MergeKind.FORCED);
    uses(5000 * MILLI);
    account.pay();
    uses(9000 * MILLI);
    account.end();

    half.setCores(0.5);

    assertEquals(Duration.ofSeconds(9), half.paid());
    assertEquals(0, half.budget().snapshot().debtBytes());
  }

  /** Two indexes, each with a merge that would use more than there is, and a weight of 1 and 3. */
  @Test
  void share_ofTwoIndexes_isDividedByTheirWeights() throws Exception {
    MergeBudgets heavy = new MergeBudgets(ByteBudget.unlimited());
    heavy.setWeight(3);
    List<ByteBudget> merges = new ArrayList<>();
    for (MergeBudgets index : List.of(budgets, heavy)) {
      index.setProcessors(half.budget());
      merges.add(index.processorsForMerge(MergeKind.FORCED).orElseThrow());
    }
    List<Thread> threads = new ArrayList<>();
    for (ByteBudget merge : merges) {
      Thread thread = Thread.ofPlatform().daemon().unstarted(() -> takeUntilInterrupted(merge));
      threads.add(thread);
      thread.start();
    }
    clock.awaitAllParked(threads);
    long light = merges.getFirst().snapshot().grantedBytes();
    long much = merges.getLast().snapshot().grantedBytes();
    for (long untilNanos = clock.nanoTime() + 4000 * MILLI; clock.nanoTime() < untilNanos; ) {
      clock.advanceNanos(clock.nanosToNextWakeUp());
      clock.awaitAllParked(threads);
    }
    threads.forEach(Thread::interrupt);

    double ofLight = merges.getFirst().snapshot().grantedBytes() - light;
    double ofMuch = merges.getLast().snapshot().grantedBytes() - much;
    assertEquals(2e6, ofLight + ofMuch, 40_000, "half a core for four seconds, in microseconds");
    assertEquals(3, ofMuch / ofLight, 0.1);
  }

  private static void takeUntilInterrupted(ByteBudget merge) {
    try {
      while (true) {
        merge.acquire(10_000);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the test has seen enough
    }
  }

  @Test
  void settingsOfTheBudgets_applyButTheRatesOfKinds() {
    budgets.setRate(MergeKind.FORCED, Rate.PAUSED);
    budgets.setProcessors(half.budget());
    ByteBudget own = budgets.processorsForMerge(MergeKind.FORCED).orElseThrow();
    ByteBudget kind = own.parent().orElseThrow();
    assertEquals(Rate.UNLIMITED, kind.rate());
    budgets.setRate(MergeKind.FORCED, Rate.perSecond(1));
    assertEquals(Rate.UNLIMITED, kind.rate());

    budgets.setLifted(true);
    assertEquals(Pacing.DEBITED, kind.pacing());
    budgets.setLifted(false);
    assertEquals(Pacing.PACED, kind.pacing());
  }

  /** A share holds merges back too, so that a backlog lifts it before indexing stalls. */
  @Test
  void arePaced_byTheShareAlone_isTrue() {
    assertFalse(budgets.arePaced());
    budgets.setProcessors(half.budget());
    assertTrue(budgets.arePaced());
    half.setUnlimited();
    assertFalse(budgets.arePaced());
  }

  @Test
  void cores_outOfRange_areRefusedAndTheShareStays() {
    for (double wrong : new double[] {0, -1, 0.009, 16_385, Double.NaN}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> half.setCores(wrong));
      assertEquals("cores must be from 0.01 to 16384: " + wrong, e.getMessage());
    }
    assertEquals(OptionalDouble.of(0.5), half.cores());
    half.setUnlimited();
    assertEquals(OptionalDouble.empty(), half.cores());
  }

  /** An index of vectors, merged under a share. */
  private static final class Vectors implements AutoCloseable {

    final Directory disk = new ByteBuffersDirectory();
    final ByteBudget budget = ByteBudget.unlimited();
    final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    final MergeTracker tracker = new MergeTracker(budget);
    final MergeActivity merges;
    final IndexWriter writer;

    Vectors(ProcessorShare share, boolean tracked) throws IOException {
      IndexWriterConfig config =
          MergeLab.config(tracked ? new ConcurrentMergeScheduler() : scheduler);
      if (tracked) {
        tracker.setProcessorShare(share);
        config.setMergePolicy(tracker.track(config.getMergePolicy()));
      } else {
        scheduler.setProcessorShare(share);
        config.setMergePolicy(scheduler.asking(config.getMergePolicy()));
      }
      merges = tracked ? tracker : scheduler;
      writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config);
      GraphPool.index(writer);
    }

    MergeKindTotals forced() {
      return merges.totals(MergeKind.FORCED);
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }

  /** Vectors alone: nearly all of the time goes to the graph, in which nothing is written. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void merge_thatBuildsAGraph_keepsToItsShareInIt(boolean tracked) throws Exception {
    double cores = 0.05; // less than a busy machine leaves
    ProcessorShare share = ProcessorShare.ofCores(cores);
    try (Vectors index = new Vectors(share, tracked)) {
      long began = NanoClock.SYSTEM.nanoTime();
      index.writer.forceMerge(1);
      long nanos = NanoClock.SYSTEM.nanoTime() - began;

      GraphPool.check(index.writer);
      long usedNanos = index.forced().processorNanos();
      double burst = 0.05 * cores * TimeUnit.SECONDS.toNanos(1);
      assertTrue(usedNanos > 2 * burst, () -> "too little to be held: " + usedNanos);
      assertTrue(
          usedNanos <= cores * nanos + burst + 10 * MILLI,
          () -> "used %d of %d ns".formatted(usedNanos, nanos));
      // Each wait is for some milliseconds: who pays when the graph is written waits a few times.
      assertTrue(index.forced().pauses().count() > 20, () -> index.forced().pauses().toString());
    }
  }

  @Test
  void rollback_whileAMergeWaits_endsItAtOnce() throws Exception {
    ProcessorShare share = ProcessorShare.ofCores(ProcessorShare.MIN_CORES);
    Vectors index = new Vectors(share, false);
    index.writer.commit();
    FutureTask<Void> merge = MergeLab.forceMerge(index.writer);
    Await.until("it waits", () -> share.budget().snapshot().waiting() > 0);

    index.writer.rollback();

    assertThrows(ExecutionException.class, merge::get);
    assertEquals(0, share.budget().snapshot().waiting());
    MergeLab.check(index.disk, 3000);
  }

  @Test
  void close_whileAMergeWaits_lifts() throws Exception {
    ProcessorShare share = ProcessorShare.ofCores(ProcessorShare.MIN_CORES);
    Vectors index = new Vectors(share, false);
    index.writer.commit();
    index.writer.forceMerge(1, false);
    Await.until("it waits", () -> share.budget().snapshot().waiting() > 0);

    index.writer.close();

    assertEquals(1, MergeLab.segments(index.disk));
    MergeLab.check(index.disk, 3000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void setUnlimited_whileAMergeWaits_letsItGoOn(boolean tracked) throws Exception {
    ProcessorShare share = ProcessorShare.ofCores(ProcessorShare.MIN_CORES);
    try (Vectors index = new Vectors(share, tracked)) {
      FutureTask<Void> merge = MergeLab.forceMerge(index.writer);
      Await.until("it waits", () -> share.budget().snapshot().waiting() > 0);

      share.setUnlimited();

      merge.get();
      GraphPool.check(index.writer);
    }
  }

  @Test
  void asking_ofAnAskingPolicy_isThat() {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();
    MergePolicy asking = scheduler.asking(new IndexWriterConfig().getMergePolicy());
    assertSame(asking, scheduler.asking(asking));
  }
}
