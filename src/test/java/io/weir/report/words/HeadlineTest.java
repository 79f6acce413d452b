package io.weir.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.DirtyResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeadlineTest {

  private boolean mergesEnded = true;

  @Test
  void of_oneRound_saysWhatWasMeasuredAndNothingElse() {
    assertEquals(
        "reopen p99 during the merge 41.3 ms, merge 31.2 s, peak dirty 210 MB",
        sentence(arm(1, ArmStatus.DONE, "forced", 41.25, 210_400_000L)));
    assertEquals(
        "reopen p99 during the merge 7.40 ms, merge 31.2 s",
        sentence(arm(1, ArmStatus.DONE, "forced", 7.4, null)));
  }

  @Test
  void of_noMerge_doesNotSpeakOfOne() {
    assertEquals(
        "reopen p99 with no merge 12.0 ms", sentence(arm(1, ArmStatus.DONE, "none", 12.0, null)));
  }

  @Test
  void of_severalRounds_givesTheRangeAndWhatWentWrong() {
    assertEquals(
        "reopen p99 during the merge 38.0 to 44.0 ms, merge 31.2 s (2 rounds)",
        sentence(
            arm(1, ArmStatus.DONE, "forced", 44.0, null),
            arm(2, ArmStatus.DONE, "forced", 38.0, null)));
    assertEquals(
        "reopen p99 during the merge 44.0 ms, merge 31.2 s, 1 of 2 rounds failed",
        sentence(
            arm(1, ArmStatus.DONE, "forced", 44.0, null),
            arm(2, ArmStatus.FAILED, null, null, null)));
  }

  @Test
  void of_nothingMeasured_saysSo() {
    assertEquals("nothing was measured", sentence(arm(1, ArmStatus.DONE, null, null, null)));
    assertEquals("it failed", sentence(arm(1, ArmStatus.FAILED, null, null, null)));
    assertEquals(
        "reopen p99 during the merge 44.0 ms, merge 31.2 s,"
            + " interrupted, so the figures are partial",
        sentence(arm(1, ArmStatus.INTERRUPTED, "forced", 44.0, null)));
  }

  @Test
  void of_aMergeThatWasGivenUp_saysForHowLongItRan() {
    mergesEnded = false;
    assertEquals(
        "reopen p99 during the merge 44.0 ms, merge not done after 31.2 s",
        sentence(arm(1, ArmStatus.DONE, "forced", 44.0, null)));
    assertEquals(
        "reopen p99 with no merge 12.0 ms", sentence(arm(1, ArmStatus.DONE, "none", 12.0, null)));
  }

  private static String sentence(ArmResult... arms) {
    RunResult run = new QuickRun().result(List.of(arms));
    return Headline.of(run).get(0).sentence();
  }

  private ArmResult arm(
      int round, ArmStatus status, String merge, Double p99Millis, Long dirtyBytes) {
    QuickResult arm = new QuickResult();
    arm.status = status;
    arm.merge =
        Optional.ofNullable(merge)
            .map(
                kind -> {
                  QuickMerge quick = new QuickMerge(1);
                  quick.kind = kind;
                  quick.seconds = 31.2;
                  quick.ended = mergesEnded;
                  return quick.result();
                });
    LatencySummary latency =
        Optional.ofNullable(p99Millis)
            .map(p99 -> new LatencySummary(10, 1, 1, 1, p99, p99))
            .orElse(LatencySummary.EMPTY);
    arm.reopen = new Phases<>(LatencySummary.EMPTY, latency, LatencySummary.EMPTY);
    arm.dirty =
        Optional.ofNullable(dirtyBytes)
            .map(peak -> new DirtyResult(peak, Phases.each(phase -> Optional.empty())));
    return arm.result("a", round);
  }
}
