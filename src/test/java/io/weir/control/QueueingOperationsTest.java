package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The policy beside frequent operations that run one at a time, on simulated disks. At a rate that
 * is too high they queue up: within a second each is late, and all that are due come after it. They
 * take a fifth of the disk on average.
 */
class QueueingOperationsTest {

  private static final LatencyTarget TARGET =
      new LatencyTarget("search", Percentile.P99, Duration.ofMillis(350));
  private static final double SEEK_SECONDS = 0.001;
  private static final double SHARE_OF_DISK = 0.2;
  private static final int MERGE_BEGINS = 5;
  private static final int MERGE_ENDS = 95;

  /** How many reads an operation needs, as a multiple of the average, in each second. */
  private enum Load {
    STEADY {
      @Override
      double next(int second, double last, Random random) {
        return 1;
      }
    },
    BURSTS_OF_A_SECOND {
      @Override
      double next(int second, double last, Random random) {
        return random.nextInt(12) == 0 ? 2 : 1;
      }
    },
    WANDERING {
      @Override
      double next(int second, double last, Random random) {
        return Math.clamp(last * Math.exp(0.15 * random.nextGaussian()), 0.5, 2);
      }
    },
    TWENTY_SECONDS_OF_EACH {
      @Override
      double next(int second, double last, Random random) {
        return second / 20 % 2 == 0 ? 0.5 : 1.3;
      }
    };

    abstract double next(int second, double last, Random random);

    DoubleUnaryOperator of(int seed) {
      Random random = new Random(seed);
      double[] seconds = new double[MERGE_ENDS + MERGE_BEGINS + 1];
      double last = 1;
      for (int second = 0; second < seconds.length; second++) {
        last = next(second, last, random);
        seconds[second] = last;
      }
      return t -> seconds[(int) t];
    }
  }

  @ParameterizedTest
  @CsvSource({
    "30, STEADY", "30, BURSTS_OF_A_SECOND", "30, WANDERING", "30, TWENTY_SECONDS_OF_EACH",
    "20, STEADY", "20, BURSTS_OF_A_SECOND", "20, WANDERING", "20, TWENTY_SECONDS_OF_EACH"
  })
  void wholeMerge_targetIsHeld_atTheSpeedOfTheDisk(int perSecond, Load load) {
    List<SimulatedDisk> runs =
        IntStream.rangeClosed(1, 16).mapToObj(seed -> merge(perSecond, load, seed)).toList();

    double[] missed =
        runs.stream().mapToDouble(run -> run.missed(MERGE_BEGINS, MERGE_ENDS)).sorted().toArray();
    assertTrue(missed[14] <= 0.01, () -> "p99 was beyond the limit in two of 16: " + missed[14]);
    assertTrue(missed[15] <= 0.013, () -> "the worst had " + missed[15]);
    double rate =
        runs.stream().mapToDouble(run -> run.mergedBytes).average().orElseThrow()
            / (MERGE_ENDS - MERGE_BEGINS);
    assertTrue(rate > 25e6, () -> "merges had " + rate);
  }

  private static SimulatedDisk merge(int perSecond, Load load, int seed) {
    SimulatedDisk disk = new SimulatedDisk(seed, TARGET, GoalOptions.DEFAULT);
    double reads = SHARE_OF_DISK / SEEK_SECONDS / perSecond;
    DoubleUnaryOperator level = load.of(seed);
    disk.seekSeconds = t -> SEEK_SECONDS;
    disk.reopenGapSeconds = 1.0 / perSecond;
    disk.readsOfReopen = t -> reads * level.applyAsDouble(t);
    disk.mergeDemand = t -> t > MERGE_BEGINS && t < MERGE_ENDS ? Double.MAX_VALUE : 0;
    return disk.run(MERGE_BEGINS + MERGE_ENDS);
  }
}
