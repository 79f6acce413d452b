package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The policy on simulated disks, many of each kind. With the disk used here, the best fixed cap
 * that holds the target is 20 MB/s; at 25 MB/s nearly 4 % of the reopens are late, at 1 MB/s the
 * 99th percentile is 99 ms. The full speed of a merge is about 35 MB/s.
 */
class GoalPolicyTest {

  private static final LatencyTarget TARGET =
      new LatencyTarget("reopen", Percentile.P99, Duration.ofMillis(200));
  private static final int SEEDS = 6;
  private static final double BEST_FIXED_CAP = 20e6;
  private static final Set<GoalReason> CUTS = EnumSet.of(GoalReason.MISSED, GoalReason.QUEUEING);

  @Test
  void steadyLoad_targetIsHeld_nearTheBestFixedCap() {
    List<SimulatedDisk> runs = runs(600, disk -> {});

    assertTrue(mean(runs, run -> run.missed(0, 60)) < 0.025, "while it finds the rate");
    assertTrue(mean(runs, run -> run.missed(60, 600)) < 0.01, "on average");
    assertAll(runs, run -> run.missed(60, 600), 0, 0.015);
    assertAll(runs, run -> meanRate(run, 60, 600), 0.6 * BEST_FIXED_CAP, 1.3 * BEST_FIXED_CAP);
  }

  /**
   * What a user sees of a goal is the percentile of a whole merge, its beginning included. A policy
   * that only balances around the limit is above it in every other merge.
   */
  @ParameterizedTest
  @CsvSource({"4, 4, 0, 14", "4, 4, 40, 14", "20, 2, 0, 15", "20, 2, 40, 15"})
  void wholeMerge_targetIsHeld(
      int reopensPerSecond, int reads, int othersPerSecond, int heldOfSixteen) {
    List<SimulatedDisk> runs = merges(reopensPerSecond, reads, t -> othersPerSecond);

    long held = runs.stream().filter(run -> run.missed(0, 240) <= 0.01).count();
    assertTrue(held >= heldOfSixteen, () -> "p99 was within the limit in " + held + " of 16");
    assertAll(runs, run -> run.missed(0, 240), 0, 0.016);
  }

  /** Half a minute of each: the changes themselves cost late reopens, but fewer each time. */
  @ParameterizedTest
  @CsvSource({"4, 4", "20, 2"})
  void loadThatChangesAgainAndAgain_isHeldAfterItWasSeen(int reopensPerSecond, int reads) {
    List<SimulatedDisk> runs =
        merges(reopensPerSecond, reads, t -> (int) (t / 30) % 2 == 0 ? 0 : 60);

    double later = mean(runs, run -> run.missed(60, 240));
    assertTrue(later < 0.012, () -> "after the first minute: " + later);
    assertAll(runs, run -> meanRate(run, 60, 240), 2e6, 16e6);
  }

  @Test
  void steadyLoad_rateDoesNotOscillate() {
    List<SimulatedDisk> runs = runs(600, disk -> {});

    assertTrue(mean(runs, run -> variation(run, 120, 600)) < 0.22, "on average");
    assertAll(runs, run -> variation(run, 120, 600), 0, 0.4);
    // Cuts stay rare: each costs a few late reopens.
    assertAll(runs, run -> cuts(run, 120, 600), 0, 10);
  }

  @Test
  void noControl_missesTheTarget() {
    List<SimulatedDisk> runs =
        runs(
            120,
            disk -> {
              disk.controlled = false;
              disk.ceiling = 30e6;
            });

    assertAll(runs, run -> run.missed(10, 120), 0.05, 1);
  }

  @Test
  void burst_targetIsHeldAgainWithinSeconds_andSpeedComesBackAfterIt() {
    List<SimulatedDisk> runs =
        runs(400, disk -> disk.othersPerSecond = t -> t >= 200 && t < 300 ? 60 : 0);

    // The disk holds the target at about 8 MB/s during the burst.
    assertTrue(mean(runs, run -> run.missed(210, 300)) < 0.03, "after ten seconds");
    assertAll(runs, run -> meanRate(run, 210, 300), 3e6, 12e6);
    assertTrue(mean(runs, run -> meanRate(run, 320, 340)) > 0.8 * BEST_FIXED_CAP, "20 s after it");
    assertTrue(mean(runs, run -> run.missed(300, 400)) < 0.02, "after the burst");
  }

  @Test
  void quiet_fullSpeedComesBackWithinSeconds() {
    List<SimulatedDisk> runs =
        runs(
            140,
            disk -> {
              disk.othersPerSecond = t -> t < 100 ? 80 : 0;
              disk.readsOfReopen = t -> t < 100 ? 4 : 1;
            });

    assertAll(runs, run -> meanRate(run, 90, 100), 1e6, 15e6);
    assertAll(runs, run -> usedRate(run, 120, 140), 25e6, 40e6);
    assertAll(runs, run -> run.missed(100, 140), 0, 0);
  }

  @Test
  void noOperations_fullSpeedComesBackWithinSeconds() {
    List<SimulatedDisk> runs =
        runs(
            140,
            disk -> {
              disk.othersPerSecond = t -> t < 100 ? 80 : 0;
              disk.reopensRun = t -> t < 100 ? 1 : 0;
            });

    assertAll(runs, run -> usedRate(run, 118, 140), 30e6, 40e6);
    for (SimulatedDisk run : runs) {
      double held = rateAt(run, 101);
      assertEquals(held, rateAt(run, 103), held * 0.3, "absent samples are not good ones");
    }
  }

  @Test
  void neighbour_targetIsHeldWithTheRest() {
    List<SimulatedDisk> runs = runs(400, disk -> disk.othersPerSecond = t -> 40);

    assertTrue(mean(runs, run -> run.missed(60, 400)) < 0.013, "on average");
    assertAll(runs, run -> meanRate(run, 60, 400), 4e6, 16e6);
  }

  @Test
  void diskBecomesSlower_andFast_rateFollows() {
    List<SimulatedDisk> runs =
        runs(400, disk -> disk.seekSeconds = t -> t < 150 ? 0.006 : t < 300 ? 0.009 : 0.001);

    // 10 MB/s is the best fixed cap of the slower disk.
    assertTrue(mean(runs, run -> run.missed(170, 300)) < 0.02, "slower");
    assertAll(runs, run -> meanRate(run, 170, 300), 5e6, 14e6);
    assertTrue(mean(runs, run -> usedRate(run, 320, 400)) > 35e6, "fast");
  }

  @Test
  void limitOutOfReach_staysAtTheFloor_saysSo_andRecovers() {
    List<SimulatedDisk> runs = runs(500, disk -> disk.pauseShare = t -> t < 300 ? 0.04 : 0);

    assertTrue(mean(runs, run -> meanRate(run, 150, 300)) < 0.3 * BEST_FIXED_CAP, "out of reach");
    assertTrue(
        runs.stream()
            .allMatch(
                run ->
                    run.ticks(100, 300).stream()
                        .anyMatch(t -> t.decision().reason() == GoalReason.MISSED_AT_FLOOR)));
    assertTrue(mean(runs, run -> meanRate(run, 400, 500)) > 0.5 * BEST_FIXED_CAP, "recovers");
  }

  @Test
  void pausesThatNoRateCausesBelowTheAllowedShare_costLittleSpeed() {
    List<SimulatedDisk> runs = runs(600, disk -> disk.pauseShare = t -> 0.003);

    assertTrue(mean(runs, run -> meanRate(run, 60, 600)) > 0.5 * BEST_FIXED_CAP);
  }

  @Test
  void looseLimit_mergesRunAtFullSpeed() {
    List<SimulatedDisk> runs =
        IntStream.rangeClosed(1, SEEDS)
            .mapToObj(
                seed -> {
                  SimulatedDisk disk =
                      new SimulatedDisk(
                          seed,
                          new LatencyTarget("reopen", Percentile.P99, Duration.ofSeconds(30)),
                          GoalOptions.DEFAULT);
                  return disk.run(60);
                })
            .toList();

    assertAll(runs, run -> usedRate(run, 10, 60), 33e6, 40e6);
  }

  @Test
  void floorThatIndexingNeeds_isNeverUndercut() {
    List<SimulatedDisk> runs =
        runs(
            200,
            disk -> {
              disk.othersPerSecond = t -> 90;
              disk.keepUp = t -> t < 50 ? 0 : t < 100 ? 6e6 : 9e6;
            });

    for (SimulatedDisk run : runs) {
      for (SimulatedDisk.Tick tick : run.ticks) {
        double floor = tick.seconds() < 50 ? 1e6 : tick.seconds() < 100 ? 6e6 : 9e6;
        assertTrue(tick.decision().afterBytesPerSecond() >= floor, tick::toString);
      }
    }
  }

  @Test
  void floorThatCreeps_isNoChangeOfTheRateEachTime() {
    List<SimulatedDisk> runs =
        runs(
            200,
            disk -> {
              disk.othersPerSecond = t -> 90;
              disk.keepUp = t -> 6e6 + 10e3 * t;
            });

    assertAll(
        runs,
        run -> run.ticks(20, 200).stream().filter(tick -> tick.decision().isChange()).count(),
        0,
        10);
  }

  @Test
  void betweenMerges_rateStays_andAMergeAfterARestBeginsGently() {
    List<SimulatedDisk> runs =
        runs(
            200,
            disk -> {
              disk.seekSeconds = t -> 0.001;
              disk.mergeDemand = t -> t < 40 || t > 100 ? 1e9 : 0;
            });

    for (SimulatedDisk run : runs) {
      assertEquals(rateAt(run, 45), rateAt(run, 99), 0.0);
      assertTrue(
          run.ticks(100, 102).stream()
              .anyMatch(tick -> tick.decision().reason() == GoalReason.MERGES_BEGIN));
    }
  }

  /** Sixteen merges of four minutes. */
  private static List<SimulatedDisk> merges(
      int reopensPerSecond, int reads, DoubleUnaryOperator othersPerSecond) {
    return runs(
        16,
        240,
        disk -> {
          disk.reopenGapSeconds = 1.0 / reopensPerSecond;
          disk.readsOfReopen = t -> reads;
          disk.othersPerSecond = othersPerSecond;
        });
  }

  private static List<SimulatedDisk> runs(double seconds, Consumer<SimulatedDisk> world) {
    return runs(SEEDS, seconds, world);
  }

  private static List<SimulatedDisk> runs(
      int seeds, double seconds, Consumer<SimulatedDisk> world) {
    return IntStream.rangeClosed(1, seeds)
        .mapToObj(
            seed -> {
              SimulatedDisk disk = new SimulatedDisk(seed, TARGET, GoalOptions.DEFAULT);
              world.accept(disk);
              return disk.run(seconds);
            })
        .toList();
  }

  private static void assertAll(
      List<SimulatedDisk> runs, ToDoubleFunction<SimulatedDisk> figure, double from, double to) {
    double[] figures = runs.stream().mapToDouble(figure).sorted().toArray();
    assertTrue(
        figures[0] >= from && figures[figures.length - 1] <= to,
        () -> "from " + figures[0] + " to " + figures[figures.length - 1]);
  }

  private static double mean(List<SimulatedDisk> runs, ToDoubleFunction<SimulatedDisk> figure) {
    return runs.stream().mapToDouble(figure).average().orElseThrow();
  }

  private static double rateAt(SimulatedDisk run, double seconds) {
    return run.ticks(seconds, seconds + 1).getFirst().decision().afterBytesPerSecond();
  }

  private static double meanRate(SimulatedDisk run, double from, double to) {
    return run.ticks(from, to).stream()
        .mapToDouble(tick -> tick.decision().afterBytesPerSecond())
        .average()
        .orElseThrow();
  }

  private static double usedRate(SimulatedDisk run, double from, double to) {
    return run.ticks(from, to).stream()
        .mapToDouble(SimulatedDisk.Tick::usedBytesPerSecond)
        .average()
        .orElseThrow();
  }

  /** The standard deviation of the rate over its mean. */
  private static double variation(SimulatedDisk run, double from, double to) {
    double mean = meanRate(run, from, to);
    double variance =
        run.ticks(from, to).stream()
            .mapToDouble(tick -> Math.pow(tick.decision().afterBytesPerSecond() - mean, 2))
            .average()
            .orElseThrow();
    return Math.sqrt(variance) / mean;
  }

  private static double cuts(SimulatedDisk run, double from, double to) {
    return run.ticks(from, to).stream()
        .filter(tick -> CUTS.contains(tick.decision().reason()))
        .count();
  }
}
