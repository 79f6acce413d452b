package io.weir.stress.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.run.SweepAnswer;
import io.weir.run.SweepPoint;
import io.weir.run.SweepPoint.Verdict;
import io.weir.run.SweepResult;
import io.weir.stress.QuickResult;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.plan.Slo.Relation;
import io.weir.stress.sweep.FakeArms.Disk;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is tried in which order, and what is said of it: a merge of 1000 MB that writes 100 MB/s by
 * itself.
 */
class CapSweepTest {

  private static final double CANARY_SECONDS = Experiment.CANARY.toMillis() / 1e3;

  private static final OptionalLong NONE = OptionalLong.empty();

  /** The higher the cap, the slower: 2 ms for each MB/s. */
  private static final Disk MONOTONIC = (cap, round) -> Math.min(cap, 100) * 2;

  @Test
  void sweep_monotonic_halvesThenBisectsAndConfirms() {
    Swept swept = sweep(FakeArms.plan(1), MONOTONIC);

    assertEquals("uncapped 1, 50MB/s 1, 25MB/s 1, 35MB/s 1, 42MB/s 1, 42MB/s 2", swept.ran());
    assertEquals("missed, missed, met, met, met", swept.verdicts());
    SweepAnswer answer = swept.answer();
    assertEquals(SweepAnswer.Status.FOUND, answer.status());
    assertEquals(Optional.of("weir 42MB/s"), answer.arm());
    assertEquals(Optional.of(42_000_000L), answer.capBytesPerSecond());
    assertTrue(answer.confirmed());
    assertEquals(List.of(), answer.contradictions());
    assertEquals(100 / 42.0, swept.point("42MB/s").mergeTimesUncapped().orElseThrow(), 1e-9);
    assertEquals(84, swept.point("42MB/s").figures().get("reopen.p99"));
    assertEquals(List.of(true), swept.judged().stream().map(SloResult::met).toList());
  }

  @Test
  void sweep_rounds_areRunOfEachPointAndTwiceOfTheAnswer() {
    Swept swept = sweep(FakeArms.plan(3), (cap, round) -> cap > 30 ? 200 : 50);

    assertEquals(
        "uncapped 1, uncapped 2, uncapped 3, 50MB/s 1, 50MB/s 2, 50MB/s 3, 25MB/s 1, 25MB/s 2,"
            + " 25MB/s 3, 35MB/s 1, 35MB/s 2, 35MB/s 3, 30MB/s 1, 30MB/s 2, 30MB/s 3, 30MB/s 4,"
            + " 30MB/s 5, 30MB/s 6",
        swept.ran());
    assertEquals(6, swept.point("30MB/s").rounds());
  }

  /** One bad round of three is no miss, and one good one no success. */
  @Test
  void sweep_oneOddRoundOfThree_isOutvotedByTheMedian() {
    Swept swept =
        sweep(
            FakeArms.plan(3),
            (cap, round) -> {
              double millis = MONOTONIC.reopenMillis(cap, round);
              return round == 2 ? 200 - millis : millis;
            });

    assertEquals(Optional.of("weir 42MB/s"), swept.answer().arm());
    assertEquals("missed, missed, met, met, met", swept.verdicts());
  }

  @Test
  void sweep_metUncapped_triesNoCapAndConfirms() {
    Swept swept = sweep(FakeArms.plan(2), (cap, round) -> 20);

    assertEquals("uncapped 1, uncapped 2, uncapped 3, uncapped 4", swept.ran());
    assertEquals(SweepAnswer.Status.FOUND, swept.answer().status());
    assertEquals(Optional.empty(), swept.answer().capBytesPerSecond());
    assertTrue(swept.answer().confirmed());
  }

  @Test
  void sweep_neverMet_endsAtASixteenthAndSaysWhatTheLowestMissed() {
    Swept swept = sweep(FakeArms.plan(1), (cap, round) -> 130);

    assertEquals("uncapped 1, 50MB/s 1, 25MB/s 1, 13MB/s 1, 6.3MB/s 1", swept.ran());
    assertEquals(SweepAnswer.Status.NONE, swept.answer().status());
    assertEquals(Optional.of("weir 6.3MB/s"), swept.answer().arm());
    assertFalse(swept.answer().confirmed());
    SloResult missed = swept.judged().get(0);
    assertEquals(
        "weir 6.3MB/s false 130.0 100.0",
        missed.arm()
            + " "
            + missed.met()
            + " "
            + missed.value().orElseThrow()
            + " "
            + missed.bound());
  }

  /** Between one byte a second and two there is no other cap. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void sweep_leastIsOneByte_ends() {
    assertEquals(
        "uncapped 1, 2B/s 1, 1B/s 1, 1B/s 2",
        sweep(plan(OptionalLong.of(1), OptionalLong.of(2)), (cap, round) -> cap > 1.5e-6 ? 130 : 50)
            .ran());
  }

  @Test
  void sweep_leastAndMost_boundTheSearchAndAreTriedThemselves() {
    OptionalLong five = OptionalLong.of(5_000_000);
    OptionalLong forty = OptionalLong.of(40_000_000);

    assertEquals(
        "uncapped 1, 40MB/s 1, 20MB/s 1, 10MB/s 1, 5MB/s 1",
        sweep(plan(five, forty), (cap, round) -> 130).ran());
    assertEquals(
        "uncapped 1, 40MB/s 1, 40MB/s 2",
        sweep(plan(five, forty), MONOTONIC).ran(),
        "no higher cap is wanted");
    assertEquals(
        "uncapped 1, 45MB/s 1, 67MB/s 1, 55MB/s 1, 50MB/s 1, 45MB/s 2",
        sweep(plan(OptionalLong.of(45_000_000), OptionalLong.of(200_000_000)), MONOTONIC).ran(),
        "what is above the merge's own rate bounds nothing, and 50 is too near 45 for a rung");
    assertEquals("uncapped 1", sweep(plan(OptionalLong.of(150_000_000), NONE), MONOTONIC).ran());
  }

  /** It met by luck: the gap is looked at anew, with what the second look said. */
  @Test
  void sweep_answerThatIsNotConfirmed_countsAsMissedAndTheSearchGoesOn() {
    Disk lucky = (cap, round) -> cap > 30 && cap < 50 && round == 1 ? 60 : cap > 30 ? 200 : 50;
    Swept swept = sweep(FakeArms.plan(1), lucky);

    assertEquals(
        "uncapped 1, 50MB/s 1, 25MB/s 1, 35MB/s 1, 42MB/s 1, 42MB/s 2, 35MB/s 2, 30MB/s 1, 30MB/s"
            + " 2",
        swept.ran());
    assertEquals("missed, missed, met, missed, missed, met", swept.verdicts());
    assertEquals(Optional.of("weir 30MB/s"), swept.answer().arm());
    assertTrue(swept.answer().confirmed());
  }

  @Test
  void sweep_onlyTheLowestWasLucky_goesFurtherDown() {
    Disk lucky = (cap, round) -> cap > 24 && (round > 1 || cap > 26) ? 200 : 50;
    Swept swept = sweep(FakeArms.plan(1), lucky);

    assertEquals(
        "uncapped 1, 50MB/s 1, 25MB/s 1, 35MB/s 1, 30MB/s 1, 25MB/s 2, 13MB/s 1, 18MB/s 1,"
            + " 21MB/s 1, 21MB/s 2",
        swept.ran());
    assertEquals(Optional.of("weir 21MB/s"), swept.answer().arm());
  }

  @Test
  void sweep_notMonotonic_keepsWhatContradicts() {
    Disk hump = (cap, round) -> cap == 10 || cap > 45 ? 150 : 50;
    Swept swept =
        sweep(
            FakeArms.plan(
                1,
                List.of(5_000_000L, 10_000_000L, 20_000_000L, 40_000_000L, 80_000_000L),
                NONE,
                NONE,
                FakeArms.under100()),
            hump);

    assertEquals(Optional.of("weir 40MB/s"), swept.answer().arm());
    assertEquals(List.of("weir 10MB/s"), swept.answer().contradictions());
    assertEquals(7, swept.arms.results.size());
    assertEquals("weir 40MB/s", swept.arms.results.get(6).name());
  }

  /**
   * Both caps are beyond what the disk does; a merge that is longer with the higher one is noise.
   */
  @Test
  void sweep_capsList_choosesTheShortestMergeAndRunsRoundsInTurn() {
    Swept swept =
        sweep(
            FakeArms.plan(2, List.of(20_000_000L, 10_000_000L), NONE, NONE, FakeArms.under100()),
            MONOTONIC);

    List<String> rounds = swept.list.stream().map(r -> r.substring(r.length() - 1)).toList();
    assertEquals(List.of("1", "1", "1", "2", "2", "2", "3", "4"), rounds);
    assertEquals(Optional.of("weir 20MB/s"), swept.answer().arm());
    assertEquals("weir 20MB/s 3", swept.list.get(6));
  }

  @Test
  void sweep_aPointFailsInTheMiddle_countsAsMissedAndIsNotRunAgain() {
    Swept swept =
        sweep(
            FakeArms.plan(2),
            (cap, round) -> cap == 25 ? -1 : cap > 60 ? 200 : cap > 30 ? 150 : 50);

    assertEquals(
        "uncapped 1, uncapped 2, 50MB/s 1, 50MB/s 2, 25MB/s 1, 13MB/s 1, 13MB/s 2, 18MB/s 1,"
            + " 18MB/s 2, 21MB/s 1, 21MB/s 2, 21MB/s 3, 21MB/s 4",
        swept.ran());
    assertEquals(Verdict.FAILED, swept.point("25MB/s").verdict());
    assertEquals(Optional.of("weir 21MB/s"), swept.answer().arm());
  }

  @Test
  void sweep_theUncappedFails_endsAndSaysNothing() {
    Swept swept = sweep(FakeArms.plan(3), (cap, round) -> -1);

    assertEquals("uncapped 1", swept.ran());
    assertEquals(SweepAnswer.Status.UNKNOWN, swept.answer().status());
    assertEquals(Optional.empty(), swept.answer().arm());
    assertFalse(swept.judged().get(0).met());
  }

  @Test
  void sweep_confirmingFails_theNextBestIsTheAnswer() {
    Swept swept =
        sweep(
            FakeArms.plan(1),
            (cap, round) -> round == 2 && cap == 42 ? -1 : Math.min(cap, 100) * 2);

    assertEquals(
        "uncapped 1, 50MB/s 1, 25MB/s 1, 35MB/s 1, 42MB/s 1, 42MB/s 2, 35MB/s 2", swept.ran());
    assertEquals(Optional.of("weir 35MB/s"), swept.answer().arm());
  }

  @Test
  void sweep_cancelled_tellsTheBestSoFarAndJudgesNothing() {
    CapSweep sweep = new CapSweep(FakeArms.plan(1));
    FakeArms arms = new FakeArms(sweep, MONOTONIC);
    arms.run(4);

    SweepResult result = sweep.sweep(arms.results, true).orElseThrow();
    SweepAnswer answer = result.answers().get(0);
    assertEquals(SweepAnswer.Status.UNKNOWN, answer.status());
    assertEquals(Optional.of("weir 35MB/s"), answer.arm());
    assertFalse(answer.confirmed());
    assertEquals(4, result.points().size());
    assertEquals(List.of(), sweep.judge(arms.results));
  }

  /** It had met, and the rounds that should confirm it were not all there. */
  @Test
  void sweep_cancelledWhileConfirming_tellsThatPoint() {
    CapSweep sweep = new CapSweep(FakeArms.plan(2));
    FakeArms arms = new FakeArms(sweep, MONOTONIC);
    assertEquals("weir 42MB/s 3", arms.run(11).get(10));

    SweepAnswer answer = sweep.sweep(arms.results, true).orElseThrow().answers().get(0);
    assertEquals(Optional.of("weir 42MB/s"), answer.arm());
    assertEquals(SweepAnswer.Status.UNKNOWN, answer.status());
    assertFalse(answer.confirmed());
  }

  /** The arm that was running has partial figures; it is no failure and no point. */
  @Test
  void sweep_cancelledInAnArm_leavesThatOut() {
    CapSweep sweep = new CapSweep(FakeArms.plan(1));
    FakeArms arms = new FakeArms(sweep, MONOTONIC);
    arms.run(2);
    QuickResult partial = new QuickResult();
    partial.status = Status.INTERRUPTED;
    sweep.next(arms.results);
    arms.results.add(partial.result("weir 25MB/s", 1));

    assertEquals(2, sweep.sweep(arms.results, true).orElseThrow().points().size());
    assertEquals(3, sweep.sweep(arms.results, false).orElseThrow().points().size());
  }

  @Test
  void sweep_beforeAnythingRan_isUnknown() {
    SweepResult result = new CapSweep(FakeArms.plan(1)).sweep(List.of(), true).orElseThrow();
    assertEquals(List.of(), result.points());
    assertEquals(SweepAnswer.Status.UNKNOWN, result.answers().get(0).status());
  }

  /** A lower cap would only make it longer, so the search goes up from there. */
  @Test
  void sweep_mergeTooLong_isNotAnsweredByALowerCap() {
    SweepPlan plan =
        FakeArms.plan(
            1,
            List.of(),
            NONE,
            NONE,
            FakeArms.under100(),
            FakeArms.slo(RunFigure.MERGE_SECONDS, Relation.LESS, 2.5, true));

    Swept swept = sweep(plan, MONOTONIC);
    assertEquals("uncapped 1, 50MB/s 1, 25MB/s 1, 35MB/s 1, 42MB/s 1, 42MB/s 2", swept.ran());
    assertEquals("missed, missed, missed, missed, met", swept.verdicts());

    Swept never = sweep(plan, (cap, round) -> cap > 30 ? 200 : 50);
    assertEquals("uncapped 1, 50MB/s 1, 25MB/s 1, 35MB/s 1, 30MB/s 1", never.ran());
    assertEquals(SweepAnswer.Status.NONE, never.answer().status());
  }

  @Test
  void sweep_ratioToUncapped_isOfTheMedians() {
    SweepPlan plan =
        FakeArms.plan(
            2,
            List.of(),
            NONE,
            NONE,
            FakeArms.slo(RunFigure.REOPEN_P99, Relation.AT_MOST, 0.5, true));
    Swept swept = sweep(plan, MONOTONIC);

    assertEquals("weir 50MB/s", swept.judged().get(0).arm());
    assertEquals(Optional.of(0.5), swept.judged().get(0).value());
    assertEquals("x", swept.judged().get(0).unit());
    assertEquals(Optional.of(1.0), swept.point("uncapped").slos().get(0).value());
  }

  /** A cap that does not hold is no cap: what was measured is told as it was. */
  @Test
  void sweep_capLiftedInARound_isTold() {
    Swept swept = sweep(FakeArms.plan(2), (cap, round) -> cap > 20 ? 200 : 50);
    assertEquals(Optional.of(1), swept.point("13MB/s").liftedRounds());
    assertEquals(Optional.of(0), swept.point("50MB/s").liftedRounds());
  }

  /** 100 MB/s written, and 150 MB/s read: half of that is 125. */
  @Test
  void sweep_ofAnArmThatCountsReads_beginsWithHalfOfWhatItReadsAndWrites() {
    CapSweep sweep = new CapSweep(FakeArms.planOf(FakeArms.weirThatCountsReads()));
    FakeArms arms = new FakeArms(sweep, MONOTONIC);

    assertEquals(List.of("weir uncapped 1", "weir 130MB/s 1"), arms.run(2));
  }

  @Test
  void sweep_twoKinds_takeTurnsAndEachHasItsAnswer() {
    CapSweep sweep = new CapSweep(FakeArms.planOf(FakeArms.weir(), FakeArms.stock()));
    FakeArms arms = new FakeArms(sweep, MONOTONIC);

    assertEquals(
        List.of(
            "weir uncapped 1",
            "stock uncapped 1",
            "weir 50MB/s 1",
            "stock 50MB/s 1",
            "weir 25MB/s 1",
            "stock 25MB/s 1"),
        arms.run().subList(0, 6));
    assertEquals(
        List.of("weir 42MB/s", "stock 42MB/s"),
        sweep.sweep(arms.results, false).orElseThrow().answers().stream()
            .flatMap(answer -> answer.arm().stream())
            .toList());
    assertEquals(
        List.of("weir 42MB/s", "stock 42MB/s"),
        sweep.judge(arms.results).stream().map(SloResult::arm).toList());
    assertEquals(
        "42MB/s",
        arms.results.get(11).settings().get("lucene-force-merge-cap"),
        "stock has Lucene's own");
  }

  @Test
  void place_tellsThePointWhatIsKnownAndWhatIsLeft() {
    FakeArms arms = new FakeArms(new CapSweep(FakeArms.plan(1)), MONOTONIC);
    arms.run();

    assertEquals("point 1, round 1 of 1", arms.places.get(0));
    assertTrue(
        arms.places
            .get(3)
            .startsWith(
                "point 4, round 1 of 1; uncapped missed, 50MB/s missed, 25MB/s met; at most about"
                    + " "),
        arms.places.get(3));
    assertTrue(
        arms.places.get(5).startsWith("point 5, round 2 of 2 to confirm it; "), arms.places.get(5));
  }

  /**
   * Phases of a quick arm take 1.1 s, 4 s are added for its JVM, and its canary: points of 10, 20,
   * 40, 77 (13 MB/s), 159 (6.3), then 111 (9 MB/s) and 133 s (7.5), and 159 to confirm it.
   */
  @Test
  void mostTime_isThatOfTheSlowestCaps() {
    double merges = 10 + 20 + 40;
    for (double cap : new double[] {13, 6.3, 9, 7.5, 6.3}) {
      merges += 1000 / cap;
    }
    assertEquals(
        merges + 8 * (5.1 + CANARY_SECONDS),
        new CapSweep(FakeArms.plan(1)).mostTime(1_000_000_000, 100_000_000).toMillis() / 1e3,
        0.05);
  }

  /** 1 GB written and 1.6 GB read; the cap is measured, and measured again to confirm it. */
  @Test
  void mostTime_ofAnArmThatCountsReads_isThatOfReadsAsWell() {
    SweepPlan plan =
        new SweepPlan(
            List.of(FakeArms.weirThatCountsReads()),
            List.of(FakeArms.under100()),
            List.of(20_000_000L),
            NONE,
            NONE,
            1,
            1);

    assertEquals(
        10 + 2 * 2600 / 20.0 + 3 * (5.1 + CANARY_SECONDS),
        new CapSweep(plan).mostTime(1_000_000_000, 100_000_000).toMillis() / 1e3,
        0.05);
  }

  /**
   * Whatever the disk does, it ends, tries no cap twice, and an answer met in every round's median.
   */
  @Test
  void sweep_anyNoise_endsWithAnAnswerThatFits() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      Swept swept =
          sweep(FakeArms.plan(1 + seed % 3), (cap, round) -> 40 + 120 * random.nextDouble());

      assertTrue(swept.list.size() <= 100, seed + ": " + swept.ran());
      SweepAnswer answer = swept.answer();
      if (answer.status() == SweepAnswer.Status.FOUND) {
        SweepPoint point = swept.point(answer.arm().orElseThrow().substring("weir ".length()));
        assertTrue(answer.confirmed(), "seed " + seed);
        assertEquals(Verdict.MET, point.verdict(), "seed " + seed);
        assertTrue(point.figures().get("reopen.p99") < 100, "seed " + seed);
      }
      assertEquals(
          answer.status() == SweepAnswer.Status.FOUND,
          swept.judged().stream().allMatch(SloResult::met));
    }
  }

  private static SweepPlan plan(OptionalLong least, OptionalLong most) {
    return FakeArms.plan(1, List.of(), least, most, FakeArms.under100());
  }

  private static Swept sweep(SweepPlan plan, Disk disk) {
    CapSweep sweep = new CapSweep(plan);
    FakeArms arms = new FakeArms(sweep, disk);
    return new Swept(arms.run(), arms, sweep);
  }

  /** A sweep that has ended. */
  private record Swept(List<String> list, FakeArms arms, CapSweep sweep) {

    String ran() {
      return list.stream()
          .map(arm -> arm.substring("weir ".length()))
          .collect(Collectors.joining(", "));
    }

    String verdicts() {
      return result().points().stream()
          .map(point -> point.verdict().name().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(", "));
    }

    SweepResult result() {
      return sweep.sweep(arms.results, false).orElseThrow();
    }

    SweepAnswer answer() {
      return result().answers().get(0);
    }

    SweepPoint point(String cap) {
      return result().points().stream()
          .filter(point -> point.arm().equals("weir " + cap))
          .findFirst()
          .orElseThrow();
    }

    List<SloResult> judged() {
      return sweep.judge(arms.results);
    }
  }
}
