package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.fakes.ForwardingClock;
import io.weir.fakes.SteppedClock;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop around the policy: the budget, the threads, the close. */
@Timeout(60)
class LatencyGoalTest {

  private static final Duration LIMIT = Duration.ofMillis(50);
  private static final long MILLI = 1_000_000;

  private final SteppedClock clock = new SteppedClock();
  private final ByteBudget budget = ByteBudget.unlimited();

  private LatencyGoal goal(GoalOptions options) {
    return new LatencyGoal(budget, List.of(), options, clock, Duration.ofSeconds(10));
  }

  private void ticks(LatencyGoal goal, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      clock.awaitParked(goal.thread());
      clock.advanceNanos(LatencyGoal.TICK_NANOS);
    }
    clock.awaitParked(goal.thread());
  }

  @Test
  void firstDecision_setsTheStart_andCloseGivesTheCeilingBack() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      assertEquals(Rate.UNLIMITED, budget.rate(), "it holds nothing yet");
      goal.hold("search", Percentile.P99, LIMIT);
      clock.awaitParked(goal.thread());
      assertEquals(Rate.perSecond(10_000_000), budget.rate());
    }
    assertEquals(Rate.UNLIMITED, budget.rate());
  }

  @Test
  void lateOperations_cutTheRate_andTheSnapshotSaysWhy() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      Latencies searches = goal.hold("search", Percentile.P99, LIMIT);
      clock.advanceNanos(1000 * MILLI);
      for (int i = 0; i < 2; i++) {
        budget.acquire(32 * 1024);
        searches.record(80 * MILLI);
        ticks(goal, 1);
      }
      assertTrue(budget.rate().bytesPerSecond() < 10_000_000, budget::toString);
      GoalSnapshot snapshot = goal.snapshot();
      assertEquals(1, snapshot.decisions().get(GoalReason.MISSED));
      assertEquals(2, snapshot.held().getFirst().misses());
      assertEquals(budget.rate(), snapshot.rate());
      String last = snapshot.explain().getLast();
      assertTrue(last.startsWith("0 s ago: 10.0 -> "), last);
      assertTrue(last.contains("the target is missed (search.p99 < 50 ms"), last);
    }
  }

  @Test
  void operationsThatBeganBeforeACut_doNotCountAfterIt() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      Latencies searches = goal.hold("search", Percentile.P99, LIMIT);
      clock.advanceNanos(1000 * MILLI);
      for (int i = 0; i < 8; i++) { // the first two lead to a cut at once
        budget.acquire(32 * 1024);
        searches.record(80 * MILLI + i * LatencyGoal.TICK_NANOS);
        ticks(goal, 1);
      }
      assertEquals(1, goal.snapshot().decisions().get(GoalReason.MISSED));
      assertEquals(8, goal.snapshot().held().getFirst().misses());
    }
  }

  @Test
  void operationThatHangs_cutsTheRate_beforeItEnds() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      Latencies searches = goal.hold("search", Percentile.P99, LIMIT);
      clock.awaitParked(goal.thread());
      Latencies.Running hanging = searches.begin();
      for (int i = 0; i < 3; i++) {
        budget.acquire(32 * 1024);
        ticks(goal, 1);
      }
      assertTrue(budget.rate().bytesPerSecond() < 10_000_000, budget::toString);
      assertEquals(0, searches.count());
      hanging.close();
      hanging.close();
      assertEquals(1, searches.misses());
    }
  }

  @Test
  void rateOfSomebodyElse_isTheCeiling_andAPauseIsLeftAlone() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      goal.hold("search", Percentile.P99, LIMIT);
      ticks(goal, 1);
      budget.setBytesPerSecond(4_000_000);
      ticks(goal, 2);
      assertEquals(Rate.perSecond(4_000_000), budget.rate());
      assertEquals(Rate.perSecond(4_000_000), goal.snapshot().ceiling());

      budget.setRate(Rate.PAUSED);
      ticks(goal, 4);
      assertEquals(Rate.PAUSED, budget.rate());
      budget.setBytesPerSecond(4_000_000);
      ticks(goal, 1);
      assertEquals(Rate.perSecond(4_000_000), goal.snapshot().ceiling());
    }
    assertEquals(Rate.perSecond(4_000_000), budget.rate());
  }

  @Test
  void closeWhilePaused_leavesThePause() throws Exception {
    budget.setRate(Rate.PAUSED);
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      goal.hold("search", Percentile.P99, LIMIT);
      ticks(goal, 2);
    }
    assertEquals(Rate.PAUSED, budget.rate());

    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      goal.hold("search", Percentile.P99, LIMIT);
      budget.setRate(Rate.UNLIMITED);
      ticks(goal, 1);
      budget.setRate(Rate.PAUSED);
    }
    assertEquals(Rate.PAUSED, budget.rate());
  }

  @Test
  void rateOfSomebodyElse_thatIsTheGoalsOwn_isTheCeilingToo() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      goal.hold("search", Percentile.P99, LIMIT);
      ticks(goal, 1);
      budget.setBytesPerSecond(10_000_000);
      ticks(goal, 1);
      assertEquals(Rate.perSecond(10_000_000), goal.snapshot().ceiling());
    }
  }

  @Test
  void endOfAPause_isNoCeiling() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      goal.hold("search", Percentile.P99, LIMIT);
      ticks(goal, 1);
      budget.setRate(Rate.PAUSED);
      ticks(goal, 1);
      budget.setBytesPerSecond(10_000_000);
      ticks(goal, 1);
      assertEquals(Rate.UNLIMITED, goal.snapshot().ceiling());
    }
  }

  /** As when a rate of the goal comes between the call of an operator and its news. */
  @Test
  void pauseThatTheGoalHasOverridden_isRestored_andItsEndIsNot() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      goal.hold("search", Percentile.P99, LIMIT);
      ticks(goal, 1);
      goal.rateChanged(budget.rate(), Rate.PAUSED);
      ticks(goal, 1);
      assertEquals(Rate.PAUSED, budget.rate());

      goal.rateChanged(Rate.PAUSED, Rate.perSecond(10_000_000));
      ticks(goal, 1);
      assertEquals(Rate.perSecond(10_000_000), budget.rate());
      assertEquals(Rate.UNLIMITED, goal.snapshot().ceiling());
    }
  }

  /** An interrupted close does not wait for the tick that is about to set its rate. */
  @Test
  void close_whileATickSetsItsRate_leavesTheCeiling() throws Exception {
    CountDownLatch setting = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    NanoClock slow =
        new ForwardingClock(clock) {
          @Override
          public long nanoTime() {
            if (Thread.currentThread().getName().equals("weir-latency-goal")
                && StackWalker.getInstance()
                    .walk(
                        calls -> calls.anyMatch(call -> call.getMethodName().equals("setRate")))) {
              setting.countDown();
              awaitUnchecked(closed);
            }
            return super.nanoTime();
          }
        };
    ByteBudget slowBudget = new ByteBudget(BudgetOptions.named("slow"), slow);
    LatencyGoal goal =
        new LatencyGoal(slowBudget, List.of(), GoalOptions.DEFAULT, clock, Duration.ofSeconds(10));
    goal.hold("search", Percentile.P99, LIMIT);
    setting.await();
    Thread.currentThread().interrupt();
    goal.close();
    assertTrue(Thread.interrupted());
    closed.countDown();
    goal.thread().join();
    assertEquals(Rate.UNLIMITED, slowBudget.rate());
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void timeThatTheGoalDidNotSee_isNeitherRestNorQuiet() throws Exception {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      clock.advanceNanos(600_000 * MILLI);
      goal.hold("search", Percentile.P99, LIMIT);
      ticks(goal, 1);
      assertEquals(GoalReason.SETTLING, goal.snapshot().last().orElseThrow().reason());

      budget.acquire(32 * 1024);
      ticks(goal, 1);
      budget.setRate(Rate.PAUSED);
      ticks(goal, 200);
      budget.setBytesPerSecond(10_000_000);
      ticks(goal, 1);
      assertEquals(GoalReason.SETTLING, goal.snapshot().last().orElseThrow().reason());
    }
  }

  @Test
  void budget_hasOneGoal_whichHoldsEachLatencyOnce() {
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      assertThrows(IllegalStateException.class, () -> goal(GoalOptions.DEFAULT));
      goal.hold("search", Percentile.P99, LIMIT);
      assertThrows(
          IllegalArgumentException.class, () -> goal.hold("search", Percentile.P50, LIMIT));
    }
    goal(GoalOptions.DEFAULT).close();
  }

  @Test
  void close_whileAListenerHangs_returnsAfterItsTime() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch called = new CountDownLatch(1);
    LatencyGoal goal =
        new LatencyGoal(budget, List.of(), GoalOptions.DEFAULT, clock, Duration.ofMillis(10));
    goal.addListener(
        decision -> {
          called.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    goal.hold("search", Percentile.P99, LIMIT);
    called.await();
    goal.close();
    assertEquals(Rate.UNLIMITED, budget.rate());
    never.countDown();
    goal.thread().join();
    assertEquals(Rate.UNLIMITED, budget.rate());
  }

  @Test
  void listenerThatThrows_doesNotEndTheGoal() throws Exception {
    AtomicLong calls = new AtomicLong();
    try (LatencyGoal goal = goal(GoalOptions.DEFAULT)) {
      goal.addListener(
          decision -> {
            calls.incrementAndGet();
            throw new IllegalStateException("a fault");
          });
      goal.hold("search", Percentile.P99, LIMIT);
      ticks(goal, 3);
      assertEquals(4, calls.get());
    }
  }

  @Test
  void closedGoal_holdsNothingMore() {
    LatencyGoal goal = goal(GoalOptions.DEFAULT);
    goal.close();
    goal.close();
    assertThrows(IllegalStateException.class, () -> goal.hold("search", Percentile.P99, LIMIT));
    assertFalse(goal.thread().isAlive());
  }

  @Test
  void reopens_areSamples() throws Exception {
    Weir weir = Weir.builder().budget(budget).open(new ByteBuffersDirectory());
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
        SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory());
        ReopenMonitor reopens = weir.attach(searchers);
        LatencyGoal goal = weir.hold(Percentile.P99, Duration.ofSeconds(10))) {
      CountDownLatch seen = new CountDownLatch(1);
      goal.addListener(
          decision -> {
            if (decision.tailNanos().isPresent()) {
              seen.countDown();
            }
          });
      for (int i = 0; i < 3; i++) {
        writer.addDocument(new Document());
        reopens.maybeRefreshBlocking();
      }
      seen.await();
      GoalSnapshot.Held held = goal.snapshot().held().getFirst();
      assertEquals("reopen.p99 < 10000 ms", held.target().toString());
      assertEquals(3, held.samples());
      assertEquals(0, held.misses());
      assertTrue(reopens.running().isEmpty());
    }
  }

  @Test
  void forcedMerge_beginsWithTheStart_howeverHighTheRateOfNaturalMergesWas() throws Exception {
    Weir weir = Weir.builder().budget(budget).open(new ByteBuffersDirectory());
    AtomicLong floor = new AtomicLong(20_000_000);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
        LatencyGoal goal =
            new LatencyGoal(budget, List.of(weir.scheduler()), GoalOptions.DEFAULT)) {
      for (int i = 0; i < 2; i++) {
        Document document = new Document();
        document.add(new StoredField("noise", noise(200_000)));
        writer.addDocument(document);
        writer.flush();
      }
      weir.scheduler().setForcedMergeBytesPerSecond(200_000); // it lasts for some ticks
      goal.keepAbove(floor::get);
      CountDownLatch began = new CountDownLatch(1);
      CountDownLatch forced = new CountDownLatch(1);
      goal.addListener(
          decision -> {
            if (decision.usedBytesPerSecond() > 0) {
              began.countDown();
            }
            if (decision.reason() == GoalReason.FORCED_MERGE_BEGINS
                && decision.beforeBytesPerSecond() > 20_000_000
                && decision.afterBytesPerSecond() == 10_000_000) {
              forced.countDown();
            }
          });
      goal.hold("search", Percentile.P99, LIMIT);
      budget.acquire(1 << 20); // as a natural merge does
      began.await();
      floor.set(0);
      writer.forceMerge(1);
      assertEquals(0, forced.getCount(), () -> goal.snapshot().explain().toString());
    }
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }
}
