package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final long SECOND = 1_000_000_000;

  @Test
  void steady_fourPerSecond_isExact() {
    Schedule schedule = Schedule.steady(4, -SECOND);

    assertArrayEquals(
        new long[] {-750_000_000, -500_000_000, -250_000_000, 0, 250_000_000}, draw(schedule, 5));
  }

  @Test
  void steady_aGapThatIsNoWholeNumber_doesNotDrift() {
    Schedule schedule = Schedule.steady(3, 0);
    long[] times = draw(schedule, 3_000_000);

    assertEquals(333_333_333, times[0]);
    assertEquals(666_666_667, times[1]);
    assertEquals(1_000_000 * SECOND, times[2_999_999]);
  }

  @Test
  void poisson_manyGaps_areExponentialWithTheMeanAsked() {
    int count = 200_000;
    double meanNanos = SECOND / 50.0;
    long[] times = draw(Schedule.poisson(50, 7, -5 * SECOND), count);

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
    for (long time : draw(Schedule.poisson(100_000, 3, -SECOND), 100_000)) {
      assertTrue(time >= previous, time + " after " + previous);
      previous = time;
    }
  }

  @Test
  void poisson_seed_decidesTheTimes() {
    long[] times = draw(Schedule.poisson(10, 1, 0), 100);

    assertArrayEquals(times, draw(Schedule.poisson(10, 1, 0), 100));
    assertFalse(Arrays.equals(times, draw(Schedule.poisson(10, 2, 0), 100)));
  }

  @Test
  void nextNanos_fromManyThreads_handsOutEachTimeOnce() throws Exception {
    for (int kind = 0; kind < 2; kind++) {
      Schedule shared = kind == 0 ? Schedule.steady(50, 0) : Schedule.poisson(50, 1, 0);
      Schedule alone = kind == 0 ? Schedule.steady(50, 0) : Schedule.poisson(50, 1, 0);
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

  private static long[] draw(Schedule schedule, int count) {
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = schedule.nextNanos();
    }
    return times;
  }
}
