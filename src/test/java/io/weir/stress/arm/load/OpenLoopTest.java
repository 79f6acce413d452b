package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.fakes.AutoClock;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.LoadRate;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** On a clock that only moves when the load waits or an operation takes its time. */
class OpenLoopTest {

  private static final long SECOND = 1_000_000_000;

  private final AutoClock clock = new AutoClock();
  private final Timeline timeline = new Timeline(clock, Duration.ZERO);
  private final List<Long> begun = new ArrayList<>();

  @Test
  void run_anOperationThatStalls_makesTheNextOnesLateAndDropsNone() throws Exception {
    timeline.endAt(6 * SECOND);
    OpenLoop loop = run(1, (due, started) -> takes(due == SECOND ? 3_500 : 0));

    LatencySummary latency = loop.latency().summary(Phase.BEFORE);
    LatencySummary service = loop.service().summary(Phase.BEFORE);
    assertEquals(List.of(1000L, 4500L, 4500L, 4500L, 5000L), begun);
    assertEquals(5, loop.finished());
    assertEquals(5, latency.count());
    // due at 1, 2, 3, 4, 5 s; ended at 4.5, 4.5, 4.5, 4.5, 5 s
    assertEquals(3500, latency.maxMillis());
    assertEquals((3500 + 2500 + 1500 + 500 + 0) / 5.0, latency.meanMillis());
    assertEquals(1500, latency.p50Millis(), 1.5);
    assertEquals(3500, service.maxMillis());
    assertEquals(700, service.meanMillis());
    assertEquals(0, service.p50Millis());
    assertEquals(0, loop.abandoned());
  }

  @Test
  void run_whatIsDueBeforeTheEndAndLate_isStillDone() throws Exception {
    timeline.endAt(3 * SECOND);
    OpenLoop loop = run(1, (due, started) -> takes(29_000));

    assertEquals(List.of(1000L, 30_000L), begun);
    assertEquals(2, loop.finished());
    assertEquals(57_000, loop.latency().summary(Phase.BEFORE).maxMillis());
  }

  @Test
  void run_whatIsNotBegunThirtySecondsAfterTheEnd_isCountedWithItsWait() throws Exception {
    timeline.endAt(3 * SECOND);
    OpenLoop loop = run(1, (due, started) -> takes(40_000));

    assertEquals(1, loop.finished());
    assertEquals(1, loop.abandoned());
    assertEquals(2, loop.latency().summary(Phase.BEFORE).count(), "nothing is left out");
    assertEquals(1, loop.service().summary(Phase.BEFORE).count());
    assertEquals(40_000, loop.latency().summary(Phase.BEFORE).maxMillis());
    assertEquals(39_500, loop.latency().summary(Phase.BEFORE).meanMillis());
  }

  /** A bulk that was abandoned once counted as one update, and one that ended as all of its own. */
  @Test
  void run_aBulkThatIsAbandoned_countsAsAllItsOperations() throws Exception {
    timeline.endAt(3 * SECOND);
    OpenLoop loop =
        loop(
            TargetRate.perSecond("updates", LoadRate.steady(10)).inBulksOf(10),
            (due, started) -> takes(40_000));
    loop.start(1);
    loop.finish();

    assertEquals(10, loop.finished());
    assertEquals(10, loop.abandoned());
    assertEquals(2, loop.latency().summary(Phase.BEFORE).count());
  }

  @Test
  void run_stopped_abandonsWhatHasNotBegun() throws Exception {
    List<Long> abandoned = new ArrayList<>();
    OpenLoop loop =
        run(
            1,
            new OpenLoop.Operation() {
              @Override
              public void run(long dueNanos, long startedNanos) {
                takes(3_500);
                timeline.stop();
                takes(1);
              }

              @Override
              public void abandoned(long dueNanos, long givenUpNanos) {
                abandoned.add(dueNanos / SECOND);
              }
            });

    assertEquals(1, loop.finished());
    assertEquals(3, loop.abandoned(), "due at 2, 3 and 4 s");
    assertEquals(List.of(2L, 3L, 4L), abandoned);
    assertEquals(4, loop.latency().summary(Phase.BEFORE).count());
  }

  @Test
  void run_anOperationThatThrows_endsTheLoadAndIsReported() throws Exception {
    IOException broken = new IOException("no disk");
    OpenLoop loop =
        run(
            1,
            (due, started) -> {
              if (due == 2 * SECOND) {
                throw broken;
              }
            });

    assertEquals(2 * SECOND, timeline.endNanos());
    IOException thrown = assertThrows(IOException.class, loop::throwFailure);
    assertSame(broken, thrown.getCause());
    assertEquals("searches failed: java.io.IOException: no disk", thrown.getMessage());
    assertEquals(1, loop.finished());
  }

  @Test
  void run_severalThreads_doEachDueTimeOnce() throws Exception {
    Timeline real = new Timeline(NanoClock.SYSTEM, Duration.ZERO);
    real.endAt(SECOND / 4);
    ConcurrentLinkedQueue<Long> dues = new ConcurrentLinkedQueue<>();
    OpenLoop loop =
        new OpenLoop(
            TargetRate.perSecond("searches", LoadRate.steady(2000)),
            Schedule.even(TargetRate.perSecond("searches", LoadRate.steady(2000)), 0),
            real,
            (due, started) -> dues.add(due));
    loop.start(4);
    loop.finish();

    assertDoesNotThrow(loop::throwFailure);
    List<Long> expected = new ArrayList<>();
    for (long i = 1; i * 500_000 < SECOND / 4; i++) {
      expected.add(i * 500_000);
    }
    assertEquals(expected, dues.stream().sorted().toList());
    assertEquals(expected.size(), loop.latency().summary(Phase.BEFORE).count());
  }

  @Test
  void result_phaseThatDidNotHappen_isAbsent() throws Exception {
    timeline.endAt(5 * SECOND);
    OpenLoop loop = run(1, (due, started) -> {});

    Values result = result(loop);
    assertEquals(1, asked(result, Phase.BEFORE));
    assertEquals(0.8, achieved(result, Phase.BEFORE));
    assertEquals(Optional.empty(), result.get(ArmFigures.SEARCH.asked(), Phase.DURING));
  }

  private static double asked(Values result, Phase phase) {
    return result.require(ArmFigures.SEARCH.asked(), phase);
  }

  private static double achieved(Values result, Phase phase) {
    return result.require(ArmFigures.SEARCH.achieved(), phase);
  }

  private static Values result(OpenLoop loop) {
    return loop.values(ArmFigures.SEARCH);
  }

  /** Rounded to hundredths, two a minute were 1.8. */
  @Test
  void result_aFewAMinute_keepsFourDigits() throws Exception {
    timeline.endAt(120 * SECOND);
    OpenLoop loop =
        new OpenLoop(
            TargetRate.perMinute("commits", LoadRate.steady(2)),
            Schedule.even(TargetRate.perMinute("commits", LoadRate.steady(2)), 0),
            timeline,
            (due, started) -> begun.add(started / SECOND));
    loop.start(1);
    loop.finish();

    Values result = result(loop);
    assertEquals(List.of(30L, 60L, 90L), begun);
    assertEquals(2 / 60.0, asked(result, Phase.BEFORE));
    assertEquals(0.025, achieved(result, Phase.BEFORE), "3 in 120 s");
  }

  /** A bulk of ten is ten updates, and one latency. */
  @Test
  void result_operationsInBulks_countsOperationsAndTimesBulks() throws Exception {
    timeline.endAt(10 * SECOND);
    TargetRate rate = TargetRate.perSecond("updates", LoadRate.steady(20)).inBulksOf(10);
    OpenLoop loop = new OpenLoop(rate, Schedule.even(rate, 0), timeline, (due, started) -> {});
    loop.start(1);
    loop.finish();

    Values result = result(loop);
    assertEquals(20, asked(result, Phase.BEFORE));
    assertEquals(19, achieved(result, Phase.BEFORE), "19 bulks in 10 s");
    assertEquals(19, result.latency(ArmFigures.SEARCH.latency(), Phase.BEFORE).count());
    assertEquals(190, loop.finished());
  }

  /** The mean of 6 a second, over both levels, would make the phases look as if they fell short. */
  @Test
  void result_levelsInTurn_isAskedWhatEachPhaseWas() throws Exception {
    timeline.mergeStarts(5 * SECOND);
    timeline.mergeEnded(8 * SECOND);
    timeline.endAt(10 * SECOND);
    LoadRate levels = new LoadRate(List.of(2.0, 10.0), Optional.of(Duration.ofSeconds(4)));
    OpenLoop loop = loop(TargetRate.perSecond("searches", levels), (due, started) -> takes(1));
    loop.start(1);
    loop.finish();

    Values result = result(loop);
    assertEquals((4 * 2 + 10) / 5.0, asked(result, Phase.BEFORE));
    assertEquals(10, asked(result, Phase.DURING));
    assertEquals(2, asked(result, Phase.AFTER));
    // One that is due when its phase ends counts in the next.
    assertEquals(17 / 5.0, achieved(result, Phase.BEFORE));
    assertEquals(10, achieved(result, Phase.DURING));
    assertEquals(4 / 2.0, achieved(result, Phase.AFTER));
  }

  /** On the manual clock an idle load begins each operation in the nanosecond it is due. */
  @Test
  void run_levelsInTurn_beginsEachWhenItIsDue() throws Exception {
    Timeline warm = new Timeline(clock, Duration.ofSeconds(1));
    warm.endAt(3 * SECOND);
    List<Long> nanos = new ArrayList<>();
    TargetRate rate =
        TargetRate.perSecond(
            "updates", new LoadRate(List.of(1.0, 3.0), Optional.of(Duration.ofSeconds(1))));
    OpenLoop loop =
        new OpenLoop(
            rate,
            Schedule.even(rate, warm.firstNanos()),
            warm,
            (due, started) -> nanos.add(started));
    loop.start(1);
    loop.finish();

    assertEquals(
        List.of(0L, 333_333_333L, 666_666_667L, SECOND, 2 * SECOND, 2_333_333_333L, 2_666_666_667L),
        nanos);
  }

  /** What was late was done after the end, and yet counted as if the machine had kept up. */
  @Test
  void result_aLoadThatFallsBehind_achievedLessThanAsked() throws Exception {
    timeline.endAt(10 * SECOND);
    OpenLoop loop = run(10, (due, started) -> takes(200));

    Values result = result(loop);
    assertEquals(
        99,
        result.latency(ArmFigures.SEARCH.latency(), Phase.BEFORE).count(),
        "due at 0.1, 0.2 ... 9.9 s");
    assertEquals(4.9, achieved(result, Phase.BEFORE), "ended at 0.3, 0.5 ... 9.9 s");
  }

  @Test
  void start_rateZero_doesNothing() throws Exception {
    OpenLoop loop =
        new OpenLoop(
            TargetRate.perSecond("searches", LoadRate.NONE),
            Schedule.even(TargetRate.perSecond("searches", LoadRate.steady(1)), 0),
            timeline,
            (due, started) -> {
              throw new AssertionError("asked for none");
            });
    loop.start(4);
    loop.finish();

    assertEquals(Values.NONE, result(loop));
    assertDoesNotThrow(loop::throwFailure);
  }

  @Test
  void takeRecentMax_isTheLargestSinceTheLastLook() throws Exception {
    timeline.endAt(4 * SECOND);
    List<Long> seen = new ArrayList<>();
    OpenLoop[] self = new OpenLoop[1];
    self[0] =
        loop(
            1,
            (due, started) -> {
              seen.add(self[0].takeRecentMaxNanos());
              takes(due / SECOND * 100);
            });
    self[0].start(1);
    self[0].finish();

    assertEquals(List.of(-1L, 100_000_000L, 200_000_000L), seen);
    assertEquals(300_000_000, self[0].takeRecentMaxNanos());
    assertEquals(-1, self[0].takeRecentMaxNanos());
  }

  private OpenLoop run(double perSecond, OpenLoop.Operation operation) throws InterruptedException {
    OpenLoop loop = loop(perSecond, operation);
    loop.start(1);
    loop.finish();
    return loop;
  }

  private OpenLoop loop(double perSecond, OpenLoop.Operation operation) {
    return loop(TargetRate.perSecond("searches", LoadRate.steady(perSecond)), operation);
  }

  private OpenLoop loop(TargetRate rate, OpenLoop.Operation operation) {
    return new OpenLoop(
        rate,
        Schedule.even(rate, 0),
        timeline,
        new OpenLoop.Operation() {
          @Override
          public void run(long dueNanos, long startedNanos) throws Exception {
            begun.add(startedNanos / 1_000_000);
            operation.run(dueNanos, startedNanos);
          }

          @Override
          public void abandoned(long dueNanos, long givenUpNanos) throws Exception {
            operation.abandoned(dueNanos, givenUpNanos);
          }
        });
  }

  private void takes(long millis) {
    clock.advanceNanos(millis * 1_000_000);
  }
}
