package io.weir.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.Status;
import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeadlineTest {

  private boolean mergesEnded = true;

  @Test
  void of_oneRound_saysWhatWasMeasuredAndNothingElse() {
    assertEquals(
        "longest reopen during the merge 41.3 ms of 10 reopens, merge 31.2 s, peak dirty 210 MB",
        sentence(arm(1, Status.DONE, "forced", 41.25, 210_400_000L)));
    assertEquals(
        "longest reopen during the merge 7.40 ms of 10 reopens, merge 31.2 s",
        sentence(arm(1, Status.DONE, "forced", 7.4, null)));
  }

  /** As for reopens, so many of them make a p99 of something. */
  @Test
  void of_writesThatBecameVisible_namesTheirSlowEndAsFarAsItIsKnown() {
    assertEquals(", visible p99 300 ms of 1000 writes", visible(1000));
    assertEquals(", visible p90 200 ms of 999 writes", visible(999));
    assertEquals(", longest until visible 400 ms of 99 writes", visible(99));
  }

  private String visible(long writes) {
    QuickResult arm = new QuickResult().reopens(44);
    arm.values.put(
        ArmFigures.VISIBLE, Phase.DURING, new LatencySummary(writes, 150, 100, 200, 300, 400));
    return sentence(arm.result("a", 1))
        .replace("longest reopen with no merge 44.0 ms of 10 reopens", "");
  }

  @Test
  void of_noMerge_doesNotSpeakOfOne() {
    assertEquals(
        "longest reopen with no merge 12.0 ms of 10 reopens",
        sentence(arm(1, Status.DONE, "none", 12.0, null)));
  }

  @Test
  void of_severalRounds_givesTheRangeAndWhatWentWrong() {
    assertEquals(
        "longest reopen during the merge 38.0 to 44.0 ms of 20 reopens, merge 31.2 s (2 rounds)",
        sentence(
            arm(1, Status.DONE, "forced", 44.0, null), arm(2, Status.DONE, "forced", 38.0, null)));
    assertEquals(
        "longest reopen during the merge 44.0 ms of 10 reopens, merge 31.2 s, 1 of 2 rounds failed",
        sentence(
            arm(1, Status.DONE, "forced", 44.0, null), arm(2, Status.FAILED, null, null, null)));
  }

  @Test
  void of_nothingMeasured_saysSo() {
    assertEquals("nothing was measured", sentence(arm(1, Status.DONE, null, null, null)));
    assertEquals("it failed", sentence(arm(1, Status.FAILED, null, null, null)));
    assertEquals(
        "longest reopen during the merge 44.0 ms of 10 reopens, merge 31.2 s,"
            + " interrupted, so the figures are partial",
        sentence(arm(1, Status.INTERRUPTED, "forced", 44.0, null)));
  }

  @Test
  void of_aMergeThatWasGivenUp_saysForHowLongItRan() {
    mergesEnded = false;
    assertEquals(
        "longest reopen during the merge 44.0 ms of 10 reopens, merge not done after 31.2 s",
        sentence(arm(1, Status.DONE, "forced", 44.0, null)));
    assertEquals(
        "longest reopen with no merge 12.0 ms of 10 reopens",
        sentence(arm(1, Status.DONE, "none", 12.0, null)));
  }

  /** By the rule of reopens, in each phase for itself: the phase after it is mostly short. */
  @Test
  void ofSearches_anArmWithAMerge_namesTheirSlowEndDuringAndAfter() {
    assertEquals(
        List.of(
            new Headline(
                "a",
                "search p99 during the merge 300 ms of 1000, longest search after it 400 ms of 60")),
        Headline.ofSearches(new QuickRun().result(List.of(searching("a", 1, 1000, 60)))));
  }

  @Test
  void ofSearches_severalArms_nameTheSameFigure_andRoundsTheRange() {
    Run run =
        new QuickRun()
            .result(
                List.of(
                    searching("a", 1, 600, 100),
                    searching("a", 2, 600, 100),
                    searching("b", 1, 999, 100)));
    assertEquals(
        List.of(
            new Headline("a", "search p90 during the merge 200 ms of 1200, after it 200 ms of 200"),
            new Headline("b", "search p90 during the merge 200 ms of 999, after it 200 ms of 100")),
        Headline.ofSearches(run));
  }

  /** Nothing after a merge that was given up, and no line of an arm without one or without any. */
  @Test
  void ofSearches_whatDidNotHappen_isLeftOut() {
    QuickResult none = new QuickResult();
    none.values.put(ArmFigures.SEARCH.latency(), Phase.DURING, latency(100));
    assertEquals(
        List.of(new Headline("a", "search p90 during the merge 200 ms of 100")),
        Headline.ofSearches(
            new QuickRun()
                .result(
                    List.of(
                        searching("a", 1, 100, 0), none.result("b", 1), searching("c", 1, 0, 0)))));
  }

  private Part searching(String name, int round, long during, long after) {
    QuickResult arm = new QuickResult();
    arm.values.put(QuickMerge.of(1).put(MergeFigures.SECONDS, 31.2).build());
    arm.values
        .put(ArmFigures.SEARCH.latency(), Phase.DURING, latency(during))
        .put(ArmFigures.SEARCH.latency(), Phase.AFTER, latency(after));
    return arm.result(name, round);
  }

  private static LatencySummary latency(long count) {
    return new LatencySummary(count, 150, 100, 200, 300, 400);
  }

  private static String sentence(Part... arms) {
    Run run = new QuickRun().result(List.of(arms));
    return Headline.of(run).get(0).sentence();
  }

  private Part arm(int round, Status status, String merge, Double p99Millis, Long dirtyBytes) {
    QuickResult arm = new QuickResult();
    arm.status = status;
    Optional.ofNullable(merge)
        .ifPresent(
            kind ->
                arm.values.put(
                    QuickMerge.of(1)
                        .put(MergeFigures.KIND, kind)
                        .put(MergeFigures.SECONDS, 31.2)
                        .put(MergeFigures.ENDED, mergesEnded)
                        .build()));
    Optional.ofNullable(p99Millis)
        .map(p99 -> new LatencySummary(10, 1, 1, 1, p99, p99))
        .ifPresent(latency -> arm.values.put(ArmFigures.REOPEN, Phase.DURING, latency));
    arm.values.put(ArmFigures.DIRTY_PEAK, Optional.ofNullable(dirtyBytes));
    return arm.result("a", round);
  }
}
