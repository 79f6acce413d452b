package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.OperationsSight.ChargedBytes;
import io.weir.procfs.OperationCounters;
import io.weir.rate.Rate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy on simulated disks, and line by line. */
class OperationsPolicyTest {

  private static final int SEEDS = 4;

  private static void eachSeed(java.util.function.LongConsumer test) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      test.accept(seed);
    }
  }

  /** A merge alone, whose bytes always cost the same: the limit is used, and never exceeded. */
  @ParameterizedTest
  @CsvSource({"20, 0", "150, 0", "150, 0.1", "150, 0.4", "150, 1", "3000, 0.1", "3000, 1"})
  void steadyMerge_usesTheLimit_within3Percent(long limit, double delaySeconds) {
    SimulatedVolume volume = new SimulatedVolume(1, limit);
    volume.delaySeconds = delaySeconds;
    volume.run(120);

    assertEquals(1, volume.share(5, 120), 0.03);
    assertTrue(volume.mostIn(10, 0, 120) <= 1.03, () -> "10 s: " + volume.mostIn(10, 0, 120));
    assertTrue(volume.unsteadiness(20, 120) < 0.1, () -> "" + volume.unsteadiness(20, 120));
  }

  /**
   * A merge begins with small reads in mind, and steps up to its own, which are large. Larger steps
   * would use more of the limit, and far exceed it when the merge goes over to copying.
   */
  @ParameterizedTest
  @CsvSource({
    "20, 1048576, 0.1", "60, 1048576, 0.1", "60, 1048576, 0.4", "150, 1048576, 0.1",
    "3000, 1048576, 0.1", "60, 262144, 0.1", "150, 262144, 0.1", "150, 262144, 0.4"
  })
  void mergeThatBegins_usesMostOfTheLimit_inItsFirstMinute(
      long limit, int bytesPerOperation, double delaySeconds) {
    SimulatedVolume volume = new SimulatedVolume(1, limit);
    volume.delaySeconds = delaySeconds;
    volume.bytesPerOperation = t -> bytesPerOperation;
    volume.ceiling = Rate.MAX_BYTES_PER_SECOND;
    volume.mergeDemand = t -> Rate.MAX_BYTES_PER_SECOND;
    volume.run(120);

    assertTrue(volume.share(0, 60) >= 0.88, () -> "" + volume.share(0, 60));
    assertTrue(volume.mostIn(10, 0, 120) <= 1.03, () -> "10 s: " + volume.mostIn(10, 0, 120));
  }

  /** Half of the operations are those of others, at random times. */
  @ParameterizedTest
  @ValueSource(longs = {150, 3000})
  void steadyOthers_mergesUseWhatTheyLeave_within3Percent(long limit) {
    eachSeed(
        seed -> {
          SimulatedVolume volume = new SimulatedVolume(seed, limit);
          volume.othersPerSecond = t -> 0.5 * limit;
          volume.run(120);

          assertEquals(1, volume.share(10, 120), 0.03);
          double most = volume.mostIn(10, 0, 120);
          assertTrue(most <= 1.04, () -> "10 s, random arrivals included: " + most);
          double unsteady = volume.unsteadiness(20, 120);
          assertTrue(unsteady < 0.15, () -> "" + unsteady);
        });
  }

  /** Bytes cost four times as much from one tick to the next, and a quarter again. */
  @ParameterizedTest
  @CsvSource({"0.1, 1.17", "0.4, 1.26"})
  void phasesOfAMerge_areFoundAtOnceDownwards_andBySecondsUpwards(
      double delaySeconds, double mostIn10Seconds) {
    SimulatedVolume volume = new SimulatedVolume(1, 150);
    volume.delaySeconds = delaySeconds;
    volume.bytesPerOperation = t -> (int) (t / 20) % 2 == 0 ? 262_144 : 65_536;
    volume.run(120);

    assertEquals(0.955, volume.share(5, 120), 0.035);
    double most = volume.mostIn(10, 0, 120);
    assertTrue(most < mostIn10Seconds, () -> "10 s: " + most);
    for (int expensive = 20; expensive < 120; expensive += 40) {
      double after = expensive + 2.5;
      assertTrue(volume.share(after, after + 1) < 1.1, () -> "too many at " + after);
    }
    for (int cheap = 40; cheap < 120; cheap += 40) {
      double after = cheap + 10;
      assertTrue(volume.share(after, after + 5) > 0.95, () -> "too few at " + after);
    }
  }

  /**
   * A merge verifies its input in reads of 1 MB, and writes in pieces of 128 KB. Once both prices
   * are known, the rate follows what merges do.
   */
  @ParameterizedTest
  @CsvSource({
    "60, 0.1, 0, 0.97, 1.07", "150, 0.1, 0, 0.97, 1.07", "3000, 0.1, 0, 0.97, 1.07",
    "60, 0.1, 0.3, 0.97, 1.1", "150, 0.1, 0.3, 0.97, 1.08", "3000, 0.1, 0.3, 0.97, 1.08",
    "60, 0.4, 0, 0.93, 1.1", "150, 0.4, 0, 0.93, 1.1", "3000, 0.4, 0, 0.92, 1.11",
    "60, 1, 0, 0.8, 1.13", "150, 1, 0, 0.8, 1.13", "3000, 1, 0, 0.8, 1.13"
  })
  void verifyingAndCopyingInTurn_useTheLimit(
      long limit, double delaySeconds, double others, double leastShare, double mostIn10Seconds) {
    for (double verifies : new double[] {3, 6, 9}) {
      SimulatedVolume volume = new SimulatedVolume(1, limit);
      volume.delaySeconds = delaySeconds;
      volume.bytesPerOperation = t -> 131_072;
      volume.bytesPerRead = t -> 1 << 20;
      volume.shareOfReads = t -> t % 12 < verifies ? 1 : 0.1;
      volume.mergeDemand = t -> Rate.MAX_BYTES_PER_SECOND;
      volume.othersPerSecond = t -> others * limit;
      volume.run(240);

      double share = volume.share(12, 240);
      assertTrue(share >= leastShare && share <= 1.01, () -> verifies + " s: " + share);
      double most = volume.mostIn(10, 0, 240);
      assertTrue(most <= mostIn10Seconds, () -> verifies + " s, in 10 s: " + most);
    }
  }

  /**
   * A merge verifies its input for seconds before it writes for the first time. What a written byte
   * costs is not known then. What is too much is done in the one tick that shows the writes.
   */
  @ParameterizedTest
  @CsvSource({"32768, 1.3", "131072, 1.06", "1048576, 1.06"})
  void firstWritesAfterVerifying_areNoBurst(int bytesPerWrite, double mostIn10Seconds) {
    for (long limit : new long[] {60, 150, 3000}) {
      for (double delaySeconds : new double[] {0.1, 0.4, 1}) {
        for (double verifies : new double[] {2, 4, 6, 9, 15}) {
          SimulatedVolume volume = new SimulatedVolume(1, limit);
          volume.delaySeconds = delaySeconds;
          volume.bytesPerOperation = t -> bytesPerWrite;
          volume.bytesPerRead = t -> 1 << 20;
          volume.shareOfReads = t -> t < verifies ? 1 : 0.1;
          volume.mergeDemand = t -> Rate.MAX_BYTES_PER_SECOND;
          volume.run(60);

          double most = volume.mostIn(10, 0, 60);
          assertTrue(
              most <= mostIn10Seconds,
              () -> limit + ", " + delaySeconds + " s, " + verifies + " s, in 10 s: " + most);
        }
      }
    }
  }

  /** Reads are counted when they are charged, so the first few tell how many there can be. */
  @ParameterizedTest
  @ValueSource(longs = {60, 150, 3000})
  void mergeThatVerifiesAtFirst_findsItsRateInSeconds(long limit) {
    SimulatedVolume volume = new SimulatedVolume(1, limit);
    volume.bytesPerRead = t -> 1 << 20;
    volume.shareOfReads = t -> 1;
    volume.mergeDemand = t -> Rate.MAX_BYTES_PER_SECOND;
    volume.run(60);

    assertTrue(volume.share(0, 60) >= 0.95, () -> "" + volume.share(0, 60));
    assertTrue(volume.mostIn(10, 0, 60) <= 1.03, () -> "10 s: " + volume.mostIn(10, 0, 60));
  }

  /** While merges verify, the cap in bytes holds them back; that is not the rate for copying. */
  @Test
  void ceilingWhileTheyVerify_leavesTheRateOfCopying() {
    SimulatedVolume volume = new SimulatedVolume(1, 1_000);
    volume.bytesPerOperation = t -> 32_768;
    volume.shareOfReads = t -> t % 12 < 3 ? 1 : 0;
    volume.mergeDemand = t -> Rate.MAX_BYTES_PER_SECOND;
    volume.ceiling = 40e6;
    volume.run(120);

    for (int copies = 27; copies < 120; copies += 12) {
      double from = copies + 0.5;
      double share = volume.share(from, copies + 9);
      assertTrue(share >= 0.97 && share <= 1.06, () -> "from " + from + ": " + share);
    }
  }

  /** A change of work in every third of a second must not hide that writes have become dear. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.3, 0.5, 1})
  void workThatChangesAllTheTime_isHeldAllTheSame(double seconds) {
    SimulatedVolume volume = new SimulatedVolume(1, 150);
    volume.bytesPerOperation = t -> t < 60 ? 131_072 : 32_768;
    volume.shareOfReads = t -> Math.floor(t / seconds) % 2;
    volume.mergeDemand = t -> Rate.MAX_BYTES_PER_SECOND;
    volume.run(120);

    assertTrue(volume.mostIn(10, 5, 60) <= 1.06, () -> "10 s: " + volume.mostIn(10, 5, 60));
    assertTrue(volume.share(64, 66) <= 1.2, () -> "too many: " + volume.share(64, 66));
    assertTrue(volume.mostIn(10, 66, 120) <= 1.06, () -> "10 s: " + volume.mostIn(10, 66, 120));
    assertTrue(volume.share(80, 120) >= 0.65, () -> "too few: " + volume.share(80, 120));
  }

  @Test
  void slowDrift_isFollowed() {
    SimulatedVolume volume = new SimulatedVolume(1, 150);
    volume.bytesPerOperation = t -> 65_536 * (1 + 0.5 * Math.sin(t / 8));
    volume.run(200);

    assertEquals(0.985, volume.share(5, 200), 0.025);
    assertTrue(volume.mostIn(10, 0, 200) < 1.05, () -> "" + volume.mostIn(10, 0, 200));
  }

  @Test
  void neighbourThatComesAndGoes_mergesMakeRoom_andTakeItBack() {
    eachSeed(
        seed -> {
          SimulatedVolume volume = new SimulatedVolume(seed, 150);
          volume.othersPerSecond = t -> t >= 40 && t < 80 ? 90 : 0;
          volume.run(120);

          assertTrue(volume.mostIn(10, 0, 120) < 1.12, () -> "" + volume.mostIn(10, 0, 120));
          assertEquals(1, volume.share(45, 80), 0.04);
          double with = volume.at(70).decision().bytesPerSecond();
          assertEquals(60 * 65_536, with, 0.4 * 60 * 65_536);
          assertEquals(1, volume.share(88, 120), 0.03);
        });
  }

  /** What others do alone is known, so a merge that begins beside them is not too fast for long. */
  @Test
  void mergeThatBeginsBesideOthers_findsItsRate() {
    SimulatedVolume volume = new SimulatedVolume(1, 150);
    volume.othersPerSecond = t -> 100;
    volume.mergeDemand = t -> t < 60 ? 0 : 1e9;
    volume.run(120);

    assertEquals(OperationsReason.NO_MERGES, volume.at(50).decision().reason());
    assertTrue(volume.mostIn(10, 55, 120) < 1.06, () -> "" + volume.mostIn(10, 55, 120));
    assertEquals(1, volume.share(70, 120), 0.04);
  }

  @Test
  void othersAboveTheLimitAlone_leaveTheFloor_andItIsSaid() {
    SimulatedVolume volume = new SimulatedVolume(1, 150);
    volume.othersPerSecond = t -> 200;
    volume.run(60);

    OperationsDecision last = volume.at(59).decision();
    assertEquals(OperationsPolicy.LEAST_BYTES_PER_SECOND, last.bytesPerSecond());
    Set<OperationsReason> reasons =
        volume.between(40, 60).stream()
            .map(tick -> tick.decision().reason())
            .collect(Collectors.toSet());
    assertTrue(reasons.contains(OperationsReason.OVER_AT_FLOOR), reasons::toString);
  }

  @Test
  void rateThatIndexingNeeds_isNotUndercut() {
    SimulatedVolume volume = new SimulatedVolume(1, 150);
    volume.othersPerSecond = t -> 200;
    volume.keepUp = t -> t < 30 ? 3e6 : 6e6;
    volume.run(60);

    assertTrue(
        volume.between(0, 30).stream().allMatch(t -> t.decision().bytesPerSecond() >= 3_000_000));
    assertTrue(
        volume.between(30.1, 60).stream()
            .allMatch(t -> t.decision().bytesPerSecond() >= 6_000_000));
  }

  @Test
  void mergesThatWantLittle_areLeftAlone() {
    SimulatedVolume volume = new SimulatedVolume(1, 3000);
    volume.mergeDemand = t -> 5e6;
    volume.run(60);

    long rate = volume.at(5).decision().bytesPerSecond();
    assertTrue(rate > 5_000_000, () -> "" + rate);
    assertEquals(rate, volume.at(59).decision().bytesPerSecond());
    assertEquals(OperationsReason.UNUSED, volume.at(59).decision().reason());
  }

  @Test
  void limitThatIsOutOfReach_leavesTheCeiling() {
    SimulatedVolume volume = new SimulatedVolume(1, 50_000);
    volume.ceiling = 80e6;
    volume.run(30);

    assertEquals(80_000_000, volume.at(29).decision().bytesPerSecond());
    assertEquals(OperationsReason.AT_CEILING, volume.at(29).decision().reason());
  }

  /** After a rest nobody knows what bytes cost: a merge begins with small reads in mind. */
  @Test
  void mergeAfterARest_beginsGently() {
    SimulatedVolume volume = new SimulatedVolume(1, 150);
    volume.bytesPerOperation = t -> t < 60 ? 1 << 20 : 16_384;
    volume.mergeDemand = t -> t > 20 && t < 60 ? 0 : 1e9;
    volume.run(90);

    assertTrue(volume.at(19).decision().bytesPerSecond() > 140_000_000);
    SimulatedVolume.Tick first =
        volume.between(60, 61).stream()
            .filter(t -> t.decision().reason() == OperationsReason.MERGES_BEGIN)
            .findFirst()
            .orElseThrow();
    assertEquals(150 * 16_384, first.decision().bytesPerSecond());
  }

  @Test
  void countersThatVanish_leaveTheRate_andItGoesOnWhenTheyAreBack() {
    SimulatedVolume volume = new SimulatedVolume(1, 150);
    volume.counted = t -> t >= 30 && t < 60 ? 0 : 1;
    volume.run(90);

    long before = volume.at(29.9).decision().bytesPerSecond();
    for (SimulatedVolume.Tick tick : volume.between(30.05, 59.95)) {
      assertEquals(before, tick.decision().bytesPerSecond());
      assertEquals(OperationsReason.UNKNOWN, tick.decision().reason());
    }
    assertEquals(1, volume.share(65, 90), 0.03);
  }

  private static Optional<OperationCounters> written(long operations) {
    return Optional.of(new OperationCounters(0, operations));
  }

  private static OperationsSight sight(double seconds, long operations, long bytes) {
    return new OperationsSight(
        Math.round(seconds * 1e9),
        written(operations),
        new ChargedBytes(0, bytes),
        true,
        true,
        0,
        100_000_000);
  }

  /** Ten times the limit in one tick: the next rate is a fraction, without waiting for a second. */
  @Test
  void jump_cutsInTheSameTick() {
    OperationsPolicy policy = new OperationsPolicy(150, 0);
    policy.decide(sight(0, 0, 0));
    double now = 0;
    for (int i = 0; i < 20; i++) {
      now += 0.1;
      policy.decide(sight(now, 15, 250_000));
    }
    OperationsDecision decision = policy.decide(sight(now + 0.1, 150, 250_000));

    assertEquals(OperationsReason.OVER, decision.reason());
    assertTrue(decision.bytesPerSecond() < 800_000, decision::toString);
    assertTrue(decision.bytesPerSecond() > 200_000, decision::toString);
  }

  /** The rate rose because reads were cheap. They are charged when done, so no wait is needed. */
  @Test
  void readsThatAreSmallNow_areCutWhileTheRateForLargeOnesSettles() {
    OperationsPolicy policy = new OperationsPolicy(150, 0);
    policy.decide(sight(0, 0, 0));
    int tick = 0;
    for (int i = 0; i < 100; i++) {
      policy.decide(work(++tick, 5, 0, 5_000_000, 0)); // 1 MB a read
    }
    for (int i = 0; i < 30; i++) {
      policy.decide(work(++tick, 0, 10, 0, 1_000_000)); // 100 kB a write
    }
    OperationsDecision raised = policy.decide(work(++tick, 10, 0, 1_000_000, 0)); // 100 kB a read
    while (raised.reason() != OperationsReason.OTHER_WORK) {
      raised = policy.decide(work(++tick, 10, 0, 1_000_000, 0));
    }
    OperationsDecision next = policy.decide(work(++tick, 80, 0, 8_000_000, 0));

    assertEquals(OperationsReason.OVER, next.reason(), next::toString);
    assertTrue(next.bytesPerSecond() < raised.bytesPerSecond() / 2, raised + ", " + next);
  }

  /**
   * A merge has written, and files are read for which no merge is charged. It is no evidence that a
   * byte of a merge costs more, so the merge then verifies at the rate that is known for reads.
   */
  @Test
  void operationsWithoutBytesOfMerges_areNoEvidenceAgainstTheRate() {
    OperationsPolicy policy = new OperationsPolicy(60, 0);
    policy.decide(work(0, 0, 0, 0, 0));
    int tick = 0;
    for (int i = 0; i < 200; i++) {
      policy.decide(work(++tick, 6, 0, 750_000, 0)); // 125 kB a read
    }
    for (int i = 0; i < 100; i++) {
      policy.decide(work(++tick, 0, 6, 0, 6_000_000)); // 1 MB a write
    }
    OperationsDecision opened = policy.decide(work(++tick, 30, 0, 0, 0));
    OperationsDecision verifies = policy.decide(work(++tick, 4, 0, 500_000, 0));

    assertEquals(OperationsReason.PAYING_BACK, opened.reason(), opened::toString);
    assertEquals(OperationsReason.OTHER_WORK, verifies.reason(), verifies::toString);
    assertEquals(60 * 125_000, verifies.bytesPerSecond(), 1_500_000);
    OperationsDecision goOn = verifies;
    for (int i = 0; i < 6; i++) {
      goOn = policy.decide(work(++tick, 30, 0, 0, 0));
    }
    assertTrue(goOn.bytesPerSecond() < verifies.bytesPerSecond() / 3, goOn::toString);
  }

  private static OperationsSight work(
      int tick, long reads, long writes, long readBytes, long writtenBytes) {
    return new OperationsSight(
        tick * 100_000_000L,
        Optional.of(new OperationCounters(reads, writes)),
        new ChargedBytes(readBytes, writtenBytes),
        true,
        true,
        0,
        100_000_000);
  }

  /** Writes reach the disk after they were charged: what comes then is not the new rate's. */
  @Test
  void operationsRightAfterACut_areNoReasonForAnother_butArePaidBack() {
    OperationsPolicy policy = new OperationsPolicy(150, 0);
    policy.decide(sight(0, 0, 0));
    OperationsDecision cut = policy.decide(sight(0.1, 150, 250_000));
    assertEquals(OperationsReason.OVER, cut.reason());
    for (double now : List.of(0.2, 0.3, 0.4)) {
      OperationsDecision next = policy.decide(sight(now, 100, 40_000));
      assertEquals(OperationsReason.SETTLING, next.reason());
      assertEquals(cut.bytesPerSecond(), next.bytesPerSecond());
    }
    OperationsDecision after = policy.decide(sight(0.5, 8, 40_000));
    assertEquals(OperationsReason.PAYING_BACK, after.reason());
  }

  @Test
  void ceilingThatFalls_holdsAtOnce_alsoWhileTheCountersAreGone() {
    OperationsPolicy policy = new OperationsPolicy(150, 0);
    policy.decide(sight(0, 0, 0));
    OperationsSight unknown =
        new OperationsSight(
            100_000_000, Optional.empty(), ChargedBytes.NOTHING, false, true, 0, 1_000_000);
    assertEquals(1_000_000, policy.decide(unknown).bytesPerSecond());
  }

  @Test
  void indexingThatNeedsMore_getsIt_alsoWhileTheCountersAreGone() {
    OperationsPolicy policy = new OperationsPolicy(150, 0);
    policy.decide(sight(0, 0, 0));
    OperationsSight unknown =
        new OperationsSight(
            100_000_000,
            Optional.empty(),
            ChargedBytes.NOTHING,
            true,
            true,
            20_000_000,
            100_000_000);
    OperationsDecision decision = policy.decide(unknown);
    assertEquals(OperationsReason.UNKNOWN, decision.reason());
    assertTrue(decision.bytesPerSecond() >= 20_000_000, decision::toString);
  }

  @Test
  void measured_isThatOfTheLastTenSeconds_andUnknownWithoutCounters() {
    OperationsPolicy policy = new OperationsPolicy(150, 0);
    assertTrue(policy.measuredPerSecond().isEmpty());
    for (int i = 1; i <= 200; i++) {
      policy.decide(sight(i * 0.1, i <= 100 ? 9 : 12, 100_000));
    }
    assertEquals(120, policy.measuredPerSecond().orElseThrow(), 1);
    policy.decide(
        new OperationsSight(
            20_100_000_000L, Optional.empty(), ChargedBytes.NOTHING, false, true, 0, 100_000_000));
    assertTrue(policy.measuredPerSecond().isEmpty());
  }

  /** The neighbours of a paused merge are counted, and what was before the pause is forgotten. */
  @Test
  void measured_whilePaused_goesOn() {
    OperationsPolicy policy = new OperationsPolicy(150, 0);
    for (int i = 1; i <= 100; i++) {
      policy.decide(sight(i * 0.1, 15, 100_000));
    }
    for (int i = 101; i <= 220; i++) {
      policy.paused(i * 100_000_000L, written(2));
    }
    assertEquals(20, policy.measuredPerSecond().orElseThrow(), 0.1);
    policy.paused(22_100_000_000L, Optional.empty());
    assertTrue(policy.measuredPerSecond().isEmpty());
  }
}
