package io.weir.report.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.report.table.ArmTables;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.SloResult;
import io.weir.run.Values;
import io.weir.run.VisibleParts;
import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultTableTest {

  private static final Values CACHE =
      cache("as-is")
          .put(ArmFigures.RESIDENT_SHARE, 1.0)
          .put(ArmFigures.WARM_UP_READ_BYTES, 98_765_000_000L)
          .put(ArmFigures.READ_BYTES, Phase.BEFORE, 98_765_000_000L)
          .put(ArmFigures.READ_BYTES, Phase.DURING, 98_765_000_000L)
          .put(ArmFigures.READ_BYTES, Phase.AFTER, 98_765_000_000L)
          .put(ArmFigures.MAJOR_FAULTS, Phase.DURING, 123_456L)
          .build();

  private static Values.Builder cache(String asked) {
    return Values.builder().put(ArmFigures.CACHE_ASKED, asked);
  }

  @Test
  void render_twoArms_equalsGolden() throws IOException {
    Run run = new SampleRun().arm("uncapped", 1, 0).arm("cap=10MB/s", 1, 10).result();
    assertGolden("two-arms.txt", new ResultTable(false).render(run));
  }

  @Test
  void render_roundsFailureWarningAndLongName_equalsGolden() throws IOException {
    Run run =
        new SampleRun()
            .arm("cap=30MB/s, writeback=1MiB, unmap=deferred", 1, 30)
            .arm("cap=30MB/s, writeback=1MiB, unmap=inline", 1, 30)
            .failedArm(
                "cap=30MB/s, writeback=1MiB, unmap=inline",
                2,
                "the JVM of the arm ended by itself",
                "java.lang.OutOfMemoryError: Java heap space",
                "\u001b[31mred\u001b[0m")
            .warning(
                "the disk under the index wrote 38.2 MB/s before any arm began, which is more than"
                    + " the run itself asks of it",
                "another program writes to the same disk",
                "stop it, or choose another disk with --index DIR")
            .result();
    assertGolden("failure.txt", new ResultTable(false).render(run));
  }

  @Test
  void render_oneOfTwoArmsCommits_hasATableForIt() throws IOException {
    Run run =
        new SampleRun().arm("none", 1, 0).commitsPerMinute(30).arm("30 a minute", 1, 10).result();
    assertGolden("commits.txt", new ResultTable(false).render(run));
  }

  @Test
  void render_writesThatBecameVisible_haveATable_andOneOfWhereTheTimeWent() {
    Values seen =
        Values.builder()
            .put(
                ArmFigures.VISIBLE,
                Phase.DURING,
                new LatencySummary(1200, 160.5, 150, 250, 290, 400))
            .put(ArmFigures.VISIBLE_PARTS, Phase.DURING, new VisibleParts(1, 12.5, 120, 2, 25))
            .put(ArmFigures.VISIBLE_SLOWEST, Phase.DURING, new VisibleParts(10, 80, 200, 4.5, 25))
            .build();
    String text = new ResultTable(false).render(new SampleRun().more(seen).arm("a", 1, 0).result());
    int from = text.indexOf("Visibility");
    assertEquals(
        """
        Visibility latency, from the intended start
        phase   arm  writes   mean    p50    p90    p99    max
                                ms     ms     ms     ms     ms
        before  a         -      -      -      -      -      -

        during  a      1200  160.5  150.0  250.0  290.0  400.0

        after   a         -      -      -      -      -      -

        Until a write is visible: means of all, and of the slowest tenth
        phase   arm   writes  whole  sent  written  next reopen  lock  reopen
                                 ms    ms       ms           ms    ms      ms
        during  a        all  160.5   1.0     12.5        120.0   2.0    25.0
                a    slowest  319.5  10.0     80.0        200.0   4.5    25.0
        """,
        text.substring(from, text.indexOf("\nSearches", from)));
    assertTrue(text.contains(", visible p99 290 ms of 1200 writes, merge"), text);
  }

  @Test
  void render_fiveRounds_tellsWhatDiffersAndWhatDoesNot() throws IOException {
    SampleRun run = new SampleRun();
    for (int round = 1; round <= 5; round++) {
      run.arm("uncapped", round, 0).arm("10 MB/s", round, 10).arm("10 MB/s again", round, 10);
    }
    String text = new ResultTable(false).render(run.result());
    int from = text.indexOf("Difference");
    assertGolden("comparison.txt", text.substring(from, text.indexOf("Why reopens", from)));
  }

  @Test
  void render_twoRounds_saysThatTheyAreTooFew() {
    SampleRun run = new SampleRun();
    run.arm("a", 1, 0).arm("b", 1, 10).arm("a", 2, 0).arm("b", 2, 10);
    String text = new ResultTable(false).render(run.result());
    assertTrue(
        text.contains("Difference from the first arm, round by round (an interval needs 5 rounds)"),
        text);
    assertTrue(text.contains("too few rounds"), text);
  }

  @Test
  void render_objectives_areToldMetOrMissed() {
    String text =
        new ResultTable(false)
            .render(
                new SampleRun()
                    .arm("weir", 1, 10)
                    .slo(
                        new SloResult(
                            "reopen.p99 < 100ms",
                            "weir",
                            Optional.of(31.2),
                            100,
                            "ms",
                            true,
                            Optional.empty()))
                    .slo(
                        new SloResult(
                            "dirty.peak < 1MB",
                            "weir",
                            Optional.of(150.0),
                            1,
                            "MB",
                            false,
                            Optional.empty()))
                    .slo(
                        new SloResult(
                            "commit.max < 1s",
                            "weir",
                            Optional.empty(),
                            1,
                            "ms",
                            false,
                            Optional.of("none")))
                    .result());
    assertTrue(
        text.contains(
            """
            Objectives, by the median of rounds
            arm   objective            measured

            weir  reopen.p99 < 100ms   31.20 ms     met
            weir  dirty.peak < 1MB    150.00 MB  missed
            weir  commit.max < 1s          none  missed
            """),
        text);
  }

  @Test
  void render_deadlines_haveARowForEachArmThatHadOne() {
    String text =
        new ResultTable(false)
            .render(
                new SampleRun()
                    .arm("none", 1, 10)
                    .more(
                        deadline(80, 6)
                            .put(MergeFigures.DEADLINE_PREDICTED, 52.8)
                            .put(MergeFigures.DEADLINE_ACTUAL, 49.35)
                            .put(MergeFigures.DEADLINE_OFF, 6.99)
                            .build())
                    .arm("in time", 1, 10)
                    .more(deadline(70, -4).build())
                    .arm("late", 1, 10)
                    .result());
    assertTrue(
        text.contains(
            """
            Deadline of the merge; what was left after a third of it, as predicted and as it was
            arm      deadline  took  spare  predicted   was  off by
                            s     s      s          s     s       %
            in time      80.0  74.0    6.0       52.8  49.4     7.0
            late         70.0  74.0   -4.0          -     -       -
            """),
        text);
    assertFalse(
        new ResultTable(false)
            .render(new SampleRun().arm("none", 1, 10).result())
            .contains("Deadline"));
  }

  private static Values.Builder deadline(double seconds, double spare) {
    return Values.builder()
        .put(MergeFigures.DEADLINE, seconds)
        .put(MergeFigures.DEADLINE_SPARE, spare);
  }

  @Test
  void render_thePageCache_hasARowForEachArmThatTellsOfIt() {
    String text =
        new ResultTable(false)
            .render(
                new SampleRun()
                    .arm("old", 1, 0)
                    .more(
                        cache("cold")
                            .put(ArmFigures.RESIDENT_SHARE, 0.0012)
                            .put(ArmFigures.WARM_UP_READ_BYTES, 56_789_000L)
                            .put(ArmFigures.READ_BYTES, Phase.BEFORE, 0L)
                            .put(ArmFigures.READ_BYTES, Phase.DURING, 56_789_000L)
                            .put(ArmFigures.MAJOR_FAULTS, Phase.DURING, 1234L)
                            .build())
                    .arm("a", 1, 0)
                    .more(cache("as-is").build())
                    .arm("b", 1, 10)
                    .result());
    assertTrue(
        text.contains(
            """
            Page cache: share of the index in it when opened; bytes read from storage; faults during
            arm  requested  in cache  warm-up  before  during  after  faults
                                   %       MB      MB      MB     MB
            a         cold       0.1     56.8     0.0    56.8      -    1234
            b        as-is         -        -       -       -      -       -
            """),
        text);
    assertFalse(
        new ResultTable(false).render(new SampleRun().arm("old", 1, 0).result()).contains("Page"));
  }

  /** Runs of older kernels, and of an older Weir, have no such columns. */
  @Test
  void render_whatWasReadAgain_isInTheTableOfThePageCache() {
    String text =
        new ResultTable(false)
            .render(
                new SampleRun()
                    .more(
                        cache("cold")
                            .put(ArmFigures.REFAULTED_BYTES, Phase.DURING, 12_345_000L)
                            .put(ArmFigures.REFAULTED_BYTES, Phase.AFTER, 0L)
                            .build())
                    .arm("a", 1, 0)
                    .more(cache("as-is").build())
                    .arm("b", 1, 10)
                    .result());
    assertTrue(
        text.contains(
            """
            arm  requested  in cache  warm-up  before  during  after  faults  refaulted during  refaulted after
                                   %       MB      MB      MB     MB                        MB               MB
            a         cold         -        -       -       -      -       -              12.3              0.0
            b        as-is         -        -       -       -      -       -                 -                -
            """),
        text);
  }

  @Test
  void render_pausesOfTheCollector_haveATable() {
    String text =
        new ResultTable(false)
            .render(
                new SampleRun()
                    .arm("old", 1, 0)
                    .gcPauses()
                    .arm("g1", 1, 0)
                    .arm("z", 1, 10)
                    .result());
    assertTrue(
        text.contains(
            """
            Pauses of the garbage collector during the merge
            arm  pauses  p99  longest   total  of the time
                          ms       ms      ms            %
            """),
        text);
  }

  @Test
  void render_anyRun_fitsAHundredColumns() {
    Run run =
        new SampleRun()
            .gcPauses()
            .arm("an arm with a name that goes on and on and on and on", 12, 0)
            .commitsPerMinute(30)
            .more(CACHE)
            .arm("b", 12, 10)
            .arm("another arm with a name that goes on and on and on", 12, 10)
            .result();
    new ResultTable(false)
        .render(run)
        .lines()
        .forEach(line -> assertTrue(line.length() <= 100, line.length() + ": " + line));
  }

  @Test
  void render_withColour_isTheSameTextBeneathTheCodes() {
    Run run =
        new SampleRun().arm("a", 1, 0).failedArm("b", 1, "gone").warning("w", "c", "r").result();
    String coloured = new ResultTable(true).render(run);
    assertTrue(coloured.contains("\u001b[1;31mFAILED"), coloured);
    String bare = coloured.replaceAll("\u001b\\[[0-9;]*m", "");
    assertEquals(new ResultTable(false).render(run), bare);
  }

  @Test
  void render_controlCharactersInNames_neverReachTheTerminal() {
    Run run = new SampleRun().arm("\u001b[2Jgone", 1, 0).result();
    String text = new ResultTable(false).render(run);
    assertFalse(text.contains("\u001b"), text);
    assertTrue(text.contains("?[2Jgone"), text);
  }

  @Test
  void charged_againstWritten_saysEqualOrTheDifference() {
    assertEquals(Optional.of("= written"), charged(5, Optional.of(5L)));
    assertEquals(Optional.of("-3.2 MB"), charged(9_200_000, Optional.of(6_000_000L)));
    assertEquals(Optional.of("+17 B"), charged(3, Optional.of(20L)));
    assertEquals(Optional.empty(), charged(3, Optional.empty()));
  }

  private static Optional<String> charged(long written, Optional<Long> charged) {
    QuickResult arm = new QuickResult();
    arm.values.put(QuickMerge.of(written).put(MergeFigures.BYTES_CHARGED, charged).build());
    return ArmTables.charged(arm.result("a", 1));
  }

  private static void assertGolden(String name, String actual) throws IOException {
    try (InputStream in = ResultTableTest.class.getResourceAsStream(name)) {
      String golden = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(golden, actual, () -> name + " should be:\n" + actual);
    }
  }
}
