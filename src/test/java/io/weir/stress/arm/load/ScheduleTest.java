package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.setting.LoadRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final long SECOND = 1_000_000_000;

  @Test
  void even_fourPerSecond_isExact() {
    Schedule schedule = Schedule.even(perSecond(4), -SECOND);

    assertArrayEquals(
        new long[] {-750_000_000, -500_000_000, -250_000_000, 0, 250_000_000}, draw(schedule, 5));
  }

  @Test
  void even_aGapThatIsNoWholeNumber_doesNotDrift() {
    Schedule schedule = Schedule.even(perSecond(3), 0);
    long[] times = draw(schedule, 3_000_000);

    assertEquals(333_333_333, times[0]);
    assertEquals(666_666_667, times[1]);
    assertEquals(1_000_000 * SECOND, times[2_999_999]);
  }

  @Test
  void even_levelsInTurn_isExactInEachAndBeginsAgain() {
    Schedule schedule = Schedule.even(perSecond(2, 2, 5), -SECOND);

    assertArrayEquals(
        new long[] {
          -500_000_000,
          0,
          500_000_000,
          SECOND, // two a second, for 2 s
          1_200_000_000,
          1_400_000_000,
          1_600_000_000,
          1_800_000_000,
          2 * SECOND, // five a second
          2_200_000_000L,
          2_400_000_000L,
          2_600_000_000L,
          2_800_000_000L,
          3 * SECOND,
          3_500_000_000L,
          4 * SECOND // two again
        },
        draw(schedule, 16));
  }

  /** What is due when a level ends is due then, not after the pause that follows. */
  @Test
  void even_aLevelOfNone_isAPauseWithNothingAtItsEnd() {
    assertArrayEquals(
        new long[] {SECOND, 2 * SECOND, 5 * SECOND, 6 * SECOND, 9 * SECOND},
        draw(Schedule.even(perSecond(2, 1, 0), 0), 5));
    assertArrayEquals(
        new long[] {3 * SECOND, 4 * SECOND, 7 * SECOND, 8 * SECOND, 11 * SECOND},
        draw(Schedule.even(perSecond(2, 0, 1), 0), 5));
  }

  /** An operation that begins in one level and is due in the next. */
  @Test
  void even_aGapOverTheEndOfALevel_hasAPartOfEach() {
    // 0.75 of one after 1.5 s, the last quarter at 4 a second
    assertArrayEquals(
        new long[] {1_562_500_000, 1_812_500_000, 2_062_500_000},
        draw(Schedule.even(TargetRate.perSecond("updates", levels(1500, 0.5, 4)), 0), 3));
  }

  /** 0.7 and 10 s are 7 exactly, though not in binary. */
  @Test
  void even_levelsInTurn_doNotDriftInADay() {
    Schedule schedule = Schedule.even(perSecond(10, 0.7, 0, 0.1), 0);
    long[] times = draw(schedule, 8 * 2880);

    assertEquals(10 * SECOND, times[6]);
    assertEquals(30 * SECOND, times[7]);
    assertEquals(86_400 * SECOND, times[times.length - 1]);
    assertEquals(86_400 * SECOND - 20 * SECOND, times[times.length - 2]);
  }

  @Test
  void even_perMinuteAndInBulks_hasTheCallsOfThose() {
    assertArrayEquals(
        new long[] {30 * SECOND, 60 * SECOND, 70 * SECOND, 80 * SECOND},
        draw(Schedule.even(TargetRate.perMinute("commits", levels(60_000, 2, 6)), 0), 4));
    assertArrayEquals(
        new long[] {2 * SECOND, 2_500_000_000L, 3 * SECOND},
        draw(Schedule.even(perSecond(2, 5, 20).inBulksOf(10), 0), 3));
  }

  /** The same process, stretched: the seed decides what is between. */
  @Test
  void poisson_levelsInTurn_isTheProcessOfRateOneThroughTheIntegratedRate() {
    long[] ones = draw(Schedule.poisson(perSecond(1), 7, 0), 2000);
    long[] times = draw(Schedule.poisson(perSecond(2, 5, 20), 7, -SECOND), 2000);

    for (int i = 0; i < ones.length; i++) {
      double wanted = ones[i] / 1e9; // 10 of them in 2 s, then 40 in 2 s, and again
      double cycles = Math.floor(wanted / 50);
      double rest = wanted - 50 * cycles;
      double seconds = 4 * cycles + (rest <= 10 ? rest / 5 : 2 + (rest - 10) / 20);
      assertEquals(-SECOND + 1e9 * seconds, times[i], 2, "arrival " + i);
    }
  }

  @Test
  void poisson_levelsInTurn_haveTheirMeansAndExponentialGaps() {
    long[] times = draw(Schedule.poisson(perSecond(20, 5, 60), 7, 0), 130_000);
    long[] counts = new long[2];
    long[] longer = new long[2];
    for (int i = 1; i < times.length; i++) {
      int level = (int) (times[i] / (20 * SECOND) % 2);
      counts[level]++;
      longer[level] += times[i] - times[i - 1] > SECOND / (level == 0 ? 5.0 : 60.0) ? 1 : 0;
    }

    assertEquals(5.0 / 65, (double) counts[0] / times.length, 0.002);
    assertEquals(Math.exp(-1), (double) longer[0] / counts[0], 0.015);
    assertEquals(Math.exp(-1), (double) longer[1] / counts[1], 0.005);
  }

  @Test
  void poisson_manyGaps_areExponentialWithTheMeanAsked() {
    int count = 200_000;
    double meanNanos = SECOND / 50.0;
    long[] times = draw(Schedule.poisson(perSecond(50), 7, -5 * SECOND), count);

    assertEquals(1, (times[count - 1] + 5.0 * SECOND) / count / meanNanos, 0.01);
    for (double means : new double[] {0.1, 1, 3}) {
      long longer = 0;
      long previous = -5 * SECOND;
      for (long time : times) {
        longer += time - previous > means * meanNanos ? 1 : 0;
        previous = time;
      }
      assertEquals(Math.exp(-means), (double) longer / count, 0.005, means + " means");
    }
  }

  @Test
  void poisson_times_neverGoBackNorBeforeTheFirst() {
    long previous = -SECOND;
    for (long time : draw(Schedule.poisson(perSecond(100_000), 3, -SECOND), 100_000)) {
      assertTrue(time >= previous, time + " after " + previous);
      previous = time;
    }
  }

  @Test
  void poisson_seed_decidesTheTimes() {
    long[] times = draw(Schedule.poisson(perSecond(10), 1, 0), 100);

    assertArrayEquals(times, draw(Schedule.poisson(perSecond(10), 1, 0), 100));
    assertFalse(Arrays.equals(times, draw(Schedule.poisson(perSecond(10), 2, 0), 100)));
  }

  @Test
  void nextNanos_fromManyThreads_handsOutEachTimeOnce() throws Exception {
    for (int kind = 0; kind < 2; kind++) {
      Schedule shared =
          kind == 0 ? Schedule.even(perSecond(50), 0) : Schedule.poisson(perSecond(50), 1, 0);
      Schedule alone =
          kind == 0 ? Schedule.even(perSecond(50), 0) : Schedule.poisson(perSecond(50), 1, 0);
      List<Callable<long[]>> drawers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        drawers.add(() -> draw(shared, 20_000));
      }
      List<Future<long[]>> drawn;
      try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
        drawn = pool.invokeAll(drawers);
      }
      LongStream all = LongStream.empty();
      for (Future<long[]> part : drawn) {
        all = LongStream.concat(all, Arrays.stream(part.get()));
      }
      assertArrayEquals(draw(alone, 80_000), all.sorted().toArray());
    }
  }

  private static TargetRate perSecond(double level) {
    return TargetRate.perSecond("searches", LoadRate.steady(level));
  }

  private static TargetRate perSecond(int heldSeconds, double... levels) {
    return TargetRate.perSecond("searches", levels(1000 * heldSeconds, levels));
  }

  private static LoadRate levels(int heldMillis, double... levels) {
    return new LoadRate(
        Arrays.stream(levels).boxed().toList(), Optional.of(Duration.ofMillis(heldMillis)));
  }

  private static long[] draw(Schedule schedule, int count) {
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = schedule.nextNanos();
    }
    return times;
  }
}
