package io.weir.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.run.ArmFigures;
import io.weir.run.CanaryFigures;
import io.weir.run.CanaryFigures.Probe;
import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.Values;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnswerTest {

  @Test
  void of_oneRound_hasTheRatioAndSaysThatItMayBeChance() {
    Answer answer = Answer.of(rounds(1, "stock", 0, "weir", 10));

    assertEquals(1, answer.paragraphs().size());
    assertMatches(
        "Reopen p90 during the merge was 3\\d times lower with weir than with stock:"
            + " \\d+\\.\\d ms, not \\d+ ms\\."
            + " The merge took 2\\.4 times as long: 74\\.0 s, not 30\\.8 s\\.",
        answer.paragraphs().getFirst());
    assertEquals(
        Optional.of("One round cannot rule out chance: an interval needs 5."), answer.caveat());
  }

  @Test
  void of_fiveRounds_hasTheIntervalAndNoCaveat() {
    Answer answer = Answer.of(rounds(5, "stock", 0, "weir", 30));

    assertMatches(
        "Reopen p90 during the merge was on average \\d+ times lower with weir than with stock:"
            + " [0-9.]+ to [0-9.]+ ms, not \\d+ to \\d+ ms"
            + " \\(95 % interval: \\d+ to \\d+ times\\)\\."
            + " The merge took on average 20 % less time: 24\\.7 s, not 30\\.8 s"
            + " \\(95 % interval: 20 to 20 %\\)\\.",
        answer.paragraphs().getFirst());
    assertEquals(Optional.empty(), answer.caveat());
  }

  @Test
  void of_fiveRoundsOfTheSame_hasNoDetectableDifference() {
    assertMatches(
        "Reopen p99 during the merge: no detectable difference between weir and stock,"
            + " \\S+ to \\S+ ms and \\S+ to \\S+ ms in 5 rounds \\(one of \\d+ % would be seen\\)\\."
            + " The merge took the same within 5 %: 74\\.0 s and 74\\.0 s\\.",
        Answer.of(rounds(5, "stock", 10, "weir", 10)).paragraphs().getFirst());
  }

  @Test
  void of_aRunWhoseArmCouldNotBearItsLoad_isNotComparable_andHasNoRatio() {
    Values late =
        Values.builder()
            .put(
                ArmFigures.REOPEN,
                Phase.BEFORE,
                new LatencySummary(9, 5120, 5120, 9000, 9900, 9900))
            .build();
    Answer answer =
        Answer.of(new SampleRun().arm("stock", 1, 0).more(late).arm("weir", 1, 10).result());
    assertEquals(
        List.of(
            "Not comparable: without a merge, half of the reopens of arm weir ended over 5120 ms"
                + " after they were due. Ask for less load."),
        answer.paragraphs());
    assertEquals(Optional.empty(), answer.caveat());
  }

  @Test
  void of_aMachineThatChanged_isNotComparable_andSaysWhichResourceHad() {
    Answer answer =
        Answer.of(
            new SampleRun()
                .more(sync(5))
                .arm("stock", 1, 0)
                .more(sync(50))
                .arm("weir", 1, 10)
                .result());
    assertEquals(
        List.of(
            "Not comparable: before stock a sync took 5.00 ms, and 27.50 ms by the median of all"
                + " (and 1 more). Run it again when the machine stays as it is."),
        answer.paragraphs());
  }

  @Test
  void of_aMachineThatChangedInOneRound_leavesThatArmOut_andSaysSo() {
    SampleRun run = new SampleRun();
    for (int round = 1; round <= 3; round++) {
      run.more(sync(5)).arm("stock", round, 0);
      run.more(sync(round == 2 ? 9 : 5)).arm("weir", round, 30);
    }
    assertEquals(
        Optional.of(
            "Left out as not comparable: before weir in round 2 a sync took 9.00 ms, and 5.00 ms by"
                + " the median of all. 2 rounds cannot rule out chance: an interval needs 5."),
        Answer.of(run.result()).caveat());
  }

  private static Values sync(double millis) {
    return Values.builder()
        .put(
            CanaryFigures.TOOK,
            Probe.SYNC,
            new LatencySummary(200, millis, millis, millis, millis, millis))
        .build();
  }

  @Test
  void of_fewerThanAHundredReopens_speaksOfTheLongest() {
    assertMatches(
        "The longest reopen during the merge was .* shorter with weir than with stock: .*",
        Answer.of(rounds(1, "stock", 0, "weir", 40)).paragraphs().getFirst());
  }

  @Test
  void of_aWorseArm_saysThatItIsHigher() {
    String paragraph = Answer.of(rounds(1, "weir", 10, "stock", 0)).paragraphs().getFirst();

    assertMatches(
        "Reopen p90 during the merge was 3\\d times as high with stock as with weir: .*"
            + " The merge took 2\\.4 times less time: 30\\.8 s, not 74\\.0 s\\.",
        paragraph);
  }

  @Test
  void of_manyArms_speaksOfTheFirstThree() {
    SampleRun run = new SampleRun();
    for (String arm : List.of("a", "b", "c", "d", "e")) {
      run.arm(arm, 1, 10);
    }
    assertEquals(3, Answer.of(run.result()).paragraphs().size());
  }

  @Test
  void of_oneArmOrAFailedOne_isEmpty() {
    Answer none = new Answer(List.of(), Optional.empty());

    assertEquals(none, Answer.of(new SampleRun().arm("a", 1, 10).result()));
    assertEquals(
        none, Answer.of(new SampleRun().arm("a", 1, 10).failedArm("b", 1, "gone").result()));
  }

  private static Run rounds(int rounds, String base, int baseCap, String other, int cap) {
    SampleRun run = new SampleRun();
    for (int round = 1; round <= rounds; round++) {
      run.arm(base, round, baseCap).arm(other, round, cap);
    }
    return run.result();
  }

  private static void assertMatches(String pattern, String text) {
    assertTrue(text.matches(pattern), text);
  }
}
