package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.run.VisibleParts;
import io.weir.stress.arm.load.Reopens.Reopen;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.Meter;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The one run of all targets, over a target that does nothing but take its time, on a clock that
 * moves when all threads of the arm wait for it. So each moment and each figure is known.
 */
class ArmRunTest {

  private static final long MILLI = 1_000_000;

  /** A warm-up of 1 s, 2 s before the merge of 2 s, 1 s after it. */
  private ArmSettings settings =
      ArmSettings.DEFAULT
          .with(ArmSetting.WARMUP, Duration.ofSeconds(1))
          .with(ArmSetting.BEFORE, Duration.ofSeconds(2))
          .with(ArmSetting.AFTER, Duration.ofSeconds(1))
          .withText(ArmSetting.REOPENS_PER_SECOND, "4")
          .withText(ArmSetting.SEARCHES_PER_SECOND, "10")
          .withText(ArmSetting.UPDATES_PER_SECOND, "10")
          .withText(ArmSetting.COMMITS_PER_MINUTE, "60");

  private final StopRequest stop = new StopRequest();
  private final AgreedClock clock = new AgreedClock();
  private final TimedTarget target = new TimedTarget();
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private Timeline timeline;

  @TempDir Path out;

  @Test
  void run_toItsEnd_hasEachPhaseAtItsTime_andMetersAsked() throws Exception {
    Values arm = run();

    assertEquals(
        List.of(
            "0 BEFORE",
            "2000 DURING",
            "2000 merge",
            "4000 merged",
            "4000 AFTER",
            "5000 end",
            "values"),
        events);
    assertEquals(Optional.of(7L), arm.get(ArmFigures.RESIDENT_SEGMENTS), "the meter's");
    assertEquals(2, arm.require(ArmFigures.PHASE_SECONDS, Phase.BEFORE));
    assertEquals(2, arm.require(ArmFigures.PHASE_SECONDS, Phase.DURING));
    assertEquals(1, arm.require(ArmFigures.PHASE_SECONDS, Phase.AFTER));
    assertEquals("forced", arm.require(MergeFigures.KIND));
    assertEquals(2, arm.require(MergeFigures.SECONDS));
    assertTrue(arm.require(MergeFigures.ENDED));
    assertEquals(1, arm.require(ArmFigures.WARM_UP_SECONDS));
  }

  @Test
  void run_ofSteadyLoads_measuresEachFromItsDueTime() throws Exception {
    Values arm = run();

    assertLatency(8, 5, 5, arm.latency(ArmFigures.REOPEN, Phase.BEFORE));
    assertLatency(8, 5, 5, arm.latency(ArmFigures.REOPEN, Phase.DURING));
    assertLatency(4, 5, 5, arm.latency(ArmFigures.REOPEN, Phase.AFTER));
    assertLatency(10, 1, 1, arm.latency(ArmFigures.UPDATE.latency(), Phase.BEFORE));
    assertEquals(10, arm.require(ArmFigures.UPDATE.asked(), Phase.BEFORE));
    assertEquals(10, arm.require(ArmFigures.UPDATE.achieved(), Phase.DURING));
    assertLatency(2, 3, 3, arm.latency(ArmFigures.COMMIT.latency(), Phase.DURING));
    assertEquals(target.searches, arm.require(ArmFigures.SEARCHES));
    assertEquals(0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS));
    assertEquals(
        1,
        Files.readAllLines(out.resolve("series.csv")).stream()
            .filter(line -> line.contains(",during,2100000000,"))
            .count());
    assertEquals(0, arm.require(ArmFigures.MISSED_SAMPLES));
  }

  /** Coordinated omission: four reopens come due while the one of 3 s takes a second. */
  @Test
  void run_aReopenThatStalls_isFeltByThoseThatComeDueMeanwhile() throws Exception {
    target.stalledDueNanos = 3000 * MILLI;

    Values arm = run();

    LatencySummary during = arm.latency(ArmFigures.REOPEN, Phase.DURING);
    assertLatency(8, 5, 1005, during);
    assertEquals((4 * 5 + 1005 + 760 + 515 + 270) / 8.0, during.meanMillis(), 1e-3);
    assertEquals(
        (7 * 5 + 1005) / 8.0,
        arm.latency(ArmFigures.REOPEN_SERVICE, Phase.DURING).meanMillis(),
        1e-3);
    assertLatency(4, 5, 25, arm.latency(ArmFigures.REOPEN, Phase.AFTER));
    List<String> lines = Files.readAllLines(out.resolve("reopens.csv"));
    assertTrue(
        lines.contains("fake,2,during,3250000000,4005000000,4010000000,4010000000,changed,,,,,,"),
        String.join("\n", lines));
    assertEquals(1 + 23, lines.size(), "in 6 s: none is left out, and none is due at the end");
  }

  /** A write each 200 ms waits for the first of the reopens each 250 ms that begins after it. */
  @Test
  void run_ofSteadyLoads_measuresWritesFromTheirDueTimeUntilTheyAreVisible_byParts()
      throws Exception {
    Values arm = run();

    LatencySummary visible = arm.latency(ArmFigures.VISIBLE, Phase.BEFORE);
    assertLatency(10, 155, 255, visible);
    assertEquals((255 + 55 + 105 + 155 + 205) / 5.0, visible.meanMillis(), 1e-3);
    assertEquals(
        new VisibleParts(0, 1, 149, 0, 5), arm.require(ArmFigures.VISIBLE_PARTS, Phase.BEFORE));
    assertEquals(
        new VisibleParts(0, 1, 249, 0, 5), arm.require(ArmFigures.VISIBLE_SLOWEST, Phase.BEFORE));
  }

  @Test
  void run_aReopenThatStalls_isTheReopenOfWritesBeforeIt_andTheLockOfThoseAfterIt()
      throws Exception {
    target.stalledDueNanos = 3000 * MILLI;

    Values arm = run();

    LatencySummary during = arm.latency(ArmFigures.VISIBLE, Phase.DURING);
    assertEquals(1205, during.maxMillis(), "due at 2800, found by the reopen of 3000");
    assertEquals(
        new VisibleParts(0, 1, 199, 0, 1005),
        arm.require(ArmFigures.VISIBLE_SLOWEST, Phase.DURING));
    assertEquals(
        (755 + 755 + 604 + 404 + 204) / 10.0,
        arm.require(ArmFigures.VISIBLE_PARTS, Phase.DURING).lockMillis(),
        1e-3);
    assertEquals(
        during.meanMillis(),
        arm.require(ArmFigures.VISIBLE_PARTS, Phase.DURING).totalMillis(),
        5e-3);
  }

  /** Three writes come due while the one of 605 ms is not answered. */
  @Test
  void run_aWriteThatStalls_isTheWriteOfItself_andDelaysTheSendingOfLaterOnes() throws Exception {
    target.stalledWriteDueNanos = 400 * MILLI;

    Values arm = run();

    assertEquals(
        new VisibleParts(0, 605, 245, 0, 5),
        arm.require(ArmFigures.VISIBLE_SLOWEST, Phase.BEFORE),
        "due at 400, answered at 1005, found by the reopen of 1250");
    assertEquals(
        (405 + 206 + 7) / 10.0,
        arm.require(ArmFigures.VISIBLE_PARTS, Phase.BEFORE).sendMillis(),
        1e-3);
  }

  /** An engine takes several bulks at once, so that none waits for the client. */
  @Test
  void run_aWriteThatStalls_besideOtherWriters_delaysNoOther() throws Exception {
    target.updateThreads = 4;
    target.stalledWriteDueNanos = 400 * MILLI;

    Values arm = run();

    assertEquals(
        new VisibleParts(0, 605, 245, 0, 5),
        arm.require(ArmFigures.VISIBLE_SLOWEST, Phase.BEFORE),
        "due at 400, answered at 1005, found by the reopen of 1250");
    assertEquals(0, arm.require(ArmFigures.VISIBLE_PARTS, Phase.BEFORE).sendMillis());
    assertEquals(10, arm.latency(ArmFigures.VISIBLE, Phase.BEFORE).count());
  }

  @Test
  void run_withoutWrites_orWithoutReopens_saysNothingOfVisibility() throws Exception {
    settings = settings.withText(ArmSetting.UPDATES_PER_SECOND, "0");

    assertEquals(Optional.empty(), run().get(ArmFigures.VISIBLE, Phase.DURING));
  }

  @Test
  void run_stoppedInTheMerge_hasNoPhaseAfter_andEndsTheMiddleOne() throws Exception {
    target.stopsAtNanos = 3000 * MILLI;

    Values arm = run();

    assertFalse(arm.require(MergeFigures.ENDED));
    assertTrue(arm.require(MergeFigures.SECONDS) >= 1, arm.toString());
    assertEquals(1, arm.require(ArmFigures.PHASE_SECONDS, Phase.DURING), 0.01);
    assertEquals(Optional.empty(), arm.get(ArmFigures.PHASE_SECONDS, Phase.AFTER));
    assertEquals(
        List.of("0 BEFORE", "2000 DURING", "end", "values"),
        events.stream()
            .filter(event -> !event.contains("merge"))
            .map(event -> event.replaceFirst("\\d+ end", "end"))
            .toList());
  }

  @Test
  void run_aReopenThatFails_endsTheArmAndIsThrown() {
    target.failsAtNanos = 1000 * MILLI;

    IOException failure = assertThrows(IOException.class, this::run);

    assertEquals("reopens failed: java.io.IOException: no disk", failure.getMessage());
    assertEquals(2, events.size(), events + ": before the merge, without values");
    assertTrue(events.get(1).matches("10[0-5]\\d end"), events.toString());
  }

  @Test
  void run_aReopenThatFailsAfterTheStop_isThrownAllTheSame() {
    target.stopsAtNanos = 1000 * MILLI;
    target.failsAtNanos = 1000 * MILLI;

    assertThrows(IOException.class, this::run);
  }

  /** What a target that has hung up says is no failure of the load. */
  @Test
  void run_aReopenThatFailsByTheStop_isNoFailureOfATargetThatHangsUp() throws Exception {
    target.hangsUp = true;
    target.stopsAtNanos = 1000 * MILLI;
    target.failsAtNanos = 1000 * MILLI;

    Values arm = run();

    assertEquals(Optional.empty(), arm.get(MergeFigures.KIND));
    assertEquals(1, arm.require(ArmFigures.PHASE_SECONDS, Phase.BEFORE), 0.01);
  }

  private static void assertLatency(
      long count, double p50Millis, double maxMillis, LatencySummary latency) {
    assertEquals(count, latency.count(), latency.toString());
    assertEquals(p50Millis, latency.p50Millis(), p50Millis / 100, latency.toString());
    assertEquals(maxMillis, latency.maxMillis(), 1e-3, latency.toString());
  }

  private Values run() throws Exception {
    Path queries = out.resolve("queries.txt");
    ArmRun.Setup setup =
        new ArmRun.Setup(
            "fake",
            2,
            settings,
            new Documents("synthetic:50", 1, 0),
            50,
            queries,
            out,
            Duration.ofSeconds(1),
            new ArmRun.Outputs(
                out.resolve("reopens.csv"),
                out.resolve("series.csv"),
                out.resolve("slow.csv"),
                out.resolve("slow.txt"),
                out.resolve("gc.csv"),
                out.resolve("jfr")));
    FutureTask<Values> running =
        new FutureTask<>(
            () -> {
              timeline = new Timeline(clock, settings.get(ArmSetting.WARMUP));
              stop.onAsk(timeline::stop);
              LargeMerge merge = new LargeMerge(settings, timeline);
              ArmRun run =
                  new ArmRun(setup, stop, timeline, target, merge, (stage, share, detail) -> {});
              try {
                return run.run(
                    List.of(SearchQuery.term("any")), Optional.empty(), List.of(new ToldMeter()));
              } finally {
                target.mergeMayEnd = true;
                merge.awaitEnd();
              }
            });
    ThreadGroup threads = new ThreadGroup("fake arm");
    Thread arm = new Thread(threads, running, "arm");
    arm.start();
    clock.moveUntilEnded(threads, arm, () -> timeline != null && timeline.ended());
    try {
      return running.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  private void event(String what) {
    events.add(timeline.nowNanos() / MILLI + " " + what);
  }

  /** Writes down what it is told. */
  private final class ToldMeter implements Meter {

    @Override
    public void begin(Phase phase) {
      event(phase.name());
    }

    @Override
    public void end() {
      event("end");
    }

    @Override
    public Values values() {
      events.add("values");
      return Values.builder().put(ArmFigures.RESIDENT_SEGMENTS, 7L).build();
    }
  }

  /** Each operation takes a time of its own. */
  private final class TimedTarget implements Target {

    volatile long stalledDueNanos = Long.MAX_VALUE;
    volatile int updateThreads = 1;
    volatile long stalledWriteDueNanos = Long.MAX_VALUE;
    volatile long stopsAtNanos = Long.MAX_VALUE;
    volatile long failsAtNanos = Long.MAX_VALUE;
    volatile boolean hangsUp;
    volatile boolean mergeMayEnd;
    volatile long searches; // that were due after the warm-up

    @Override
    public void refresh(Reopen reopen) throws IOException {
      if (reopen.dueNanos() == stopsAtNanos) {
        stop.ask();
      }
      if (reopen.dueNanos() == failsAtNanos) {
        throw new IOException("no disk");
      }
      take(reopen.dueNanos() == stalledDueNanos ? 1005 : 5);
      reopen.visible(timeline.nowNanos());
    }

    @Override
    public int updatesAtOnce() {
      return 2;
    }

    @Override
    public int updateThreads() {
      return updateThreads;
    }

    @Override
    public void update(List<Updater.Update> updates, long dueNanos) {
      assertEquals(2, updates.size());
      take(dueNanos == stalledWriteDueNanos ? 605 : 1);
    }

    @Override
    public synchronized int search(SearchQuery query, long dueNanos) {
      searches += dueNanos >= 0 ? 1 : 0;
      return 3;
    }

    @Override
    public void commit() {
      take(3);
    }

    @Override
    public void merge() {
      event("merge");
      take(2000);
      while (stopsAtNanos != Long.MAX_VALUE && !mergeMayEnd) {
        take(2000);
      }
      event("merged");
    }

    @Override
    public void sample(Sampler.Line line) {}

    @Override
    public OptionalDouble mergeShare() {
      return OptionalDouble.empty();
    }

    @Override
    public String progress() {
      return "";
    }

    @Override
    public boolean hangsUp() {
      return hangsUp;
    }

    private void take(long millis) {
      clock.parkNanos(this, millis * MILLI);
    }
  }

  /** Time moves to the next moment that a thread waits for, once all of them wait. */
  private static final class AgreedClock implements NanoClock {

    private final Map<Thread, Long> untilNanos = new HashMap<>(); // guarded by this
    private long nowNanos; // guarded by this

    @Override
    public synchronized long nanoTime() {
      return nowNanos;
    }

    @Override
    public synchronized void parkNanos(Object blocker, long nanos) {
      Thread me = Thread.currentThread();
      long until = nowNanos + nanos;
      untilNanos.put(me, until);
      try {
        while (nowNanos < until) {
          wait();
        }
      } catch (InterruptedException e) {
        me.interrupt();
      } finally {
        untilNanos.remove(me);
      }
    }

    @Override
    public void park(Object blocker) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void unpark(Thread thread) {
      throw new UnsupportedOperationException();
    }

    /**
     * Moves time until {@code arm} has ended.
     *
     * @param arm waits for its merge, and after the end for its other threads, without this clock
     */
    void moveUntilEnded(ThreadGroup threads, Thread arm, BooleanSupplier ended) {
      while (arm.isAlive()) {
        if (!move(threads, arm, ended.getAsBoolean())) {
          LockSupport.parkNanos(MILLI / 10);
        }
      }
    }

    private synchronized boolean move(ThreadGroup threads, Thread arm, boolean ended) {
      Thread[] some = new Thread[32];
      int count = threads.enumerate(some);
      List<Thread> alive = Stream.of(some).limit(count).toList();
      boolean merging = alive.stream().anyMatch(t -> t.getName().equals("weir-large-merge"));
      boolean quiet = alive.stream().allMatch(t -> waits(t) || t == arm && (merging || ended));
      Optional<Long> next = untilNanos.values().stream().min(Long::compare);
      if (!quiet || next.isEmpty()) {
        return false;
      }
      nowNanos = next.get();
      notifyAll();
      return true;
    }

    private boolean waits(Thread thread) {
      return untilNanos.getOrDefault(thread, nowNanos) > nowNanos;
    }
  }
}
