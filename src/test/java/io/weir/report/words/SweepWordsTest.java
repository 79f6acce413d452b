package io.weir.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SweptRun;
import io.weir.report.text.ResultTable;
import io.weir.run.Run;
import io.weir.run.SweepAnswer;
import io.weir.run.SweepAnswer.Status;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a sweep is told in. */
class SweepWordsTest {

  private static final String FIGURE = "\\(\\d+\\.\\d\\d ms\\)";

  @Test
  void found_highest_tellsFiguresAndPrice() {
    assertMatches(
        "cap=40MB/s is the highest that met reopen.p99 < 100ms "
            + FIGURE
            + " and merge.seconds < 9x uncapped \\(1.50 x\\), by the median of 2 rounds; the merge"
            + " took 18.5 s, 1.50 times the uncapped one's",
        sentence(
            new SweepAnswer(
                "ours",
                Status.FOUND,
                Optional.of("ours 40MB/s"),
                Optional.of(40_000_000L),
                true,
                List.of())));
  }

  @Test
  void found_withoutACap_saysThatNoneIsNeeded() {
    assertMatches(
        "no cap is needed: without one it met reopen.p99 < 100ms .*, by the median of 2 rounds; the"
            + " merge took .*",
        sentence(
            new SweepAnswer(
                "theirs",
                Status.FOUND,
                Optional.of("theirs uncapped"),
                Optional.empty(),
                true,
                List.of())));
  }

  @Test
  void found_notTheHighest_saysSoAndWhatDoesNotFit() {
    assertMatches(
        "cap=20MB/s has the shortest merge of the 2 that met .*; contradicted by: ours 10MB/s"
            + " missed, ours 40MB/s met",
        sentence(
            new SweepAnswer(
                "ours",
                Status.FOUND,
                Optional.of("ours 20MB/s"),
                Optional.of(20_000_000L),
                true,
                List.of("ours 10MB/s", "ours 40MB/s"))));
  }

  @Test
  void none_saysByHowMuchTheLowestMissed() {
    assertMatches(
        "no cap met the objectives; with the lowest, cap=10MB/s, reopen.p99 < 100ms was missed by"
            + " \\d+\\.\\d\\d ms: \\d+\\.\\d\\d ms; the cap was lifted in 1 of 2 rounds, because"
            + " too many merges were waiting",
        sentence(
            new SweepAnswer(
                "ours",
                Status.NONE,
                Optional.of("ours 10MB/s"),
                Optional.of(10_000_000L),
                false,
                List.of())));
    assertMatches(
        "no cap could be tried; without one reopen.p99 < 100ms was missed by .*",
        sentence(
            new SweepAnswer(
                "theirs",
                Status.NONE,
                Optional.of("theirs uncapped"),
                Optional.empty(),
                false,
                List.of())));
  }

  @Test
  void unknown_saysWhatIsKnown() {
    assertMatches(
        "the search did not finish; so far cap=40MB/s met reopen.p99 < 100ms .*, not yet"
            + " confirmed; cap=20MB/s met; cap=10MB/s missed",
        sentence(
            new SweepAnswer(
                "ours",
                Status.UNKNOWN,
                Optional.of("ours 40MB/s"),
                Optional.of(40_000_000L),
                false,
                List.of())));
    assertEquals(
        "the search did not finish; nothing was measured",
        sentence(
            new SweepAnswer(
                "others", Status.UNKNOWN, Optional.empty(), Optional.empty(), false, List.of())));
  }

  @Test
  void render_sweep_hasPointsAndAnswersAndNoTableOfEachArm() {
    String text = new ResultTable(false).render(SweptRun.sample().result());

    assertTrue(
        text.startsWith("What each cap costs, and what readers feel: medians of rounds\n"), text);
    assertMatches("(?s).*\nours 40MB/s +the answer +1 +2 +18.5 .*", text);
    assertMatches("(?s).*\nours 10MB/s +missed, lifted +3 .*", text);
    assertTrue(text.contains("\nours: cap=40MB/s is the highest that met"), text);
    assertFalse(text.contains("Reopen latency"), text);
    assertFalse(text.contains("Difference"), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 120), text);
  }

  /** A sweep had no sentence that says at once what it found. */
  @Test
  void answer_ofASweep_isOneSentenceWithFigureUnitAndCondition() {
    Run run = SweptRun.sample().result();
    List<String> paragraphs = Answer.of(run).paragraphs();

    assertEquals(1, paragraphs.size(), paragraphs.toString());
    assertMatches(
        "For .* (<|<=) .*, .* is best with .* \\(.* ms.*, merge .* s\\).*\\.",
        paragraphs.getFirst());
    String text = new ResultTable(false).render(run);
    assertTrue(text.replaceAll("\\s+", " ").contains(paragraphs.getFirst()), text);
  }

  private static void assertMatches(String pattern, String text) {
    assertTrue(Pattern.matches(pattern, text), text);
  }

  private static String sentence(SweepAnswer answer) {
    return SweepWords.of(SweptRun.sample(List.of(answer)).result()).get(0).sentence();
  }
}
