package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.run.SweepAnswer;
import io.weir.run.SweepPoint;
import io.weir.run.SweepPoint.Verdict;
import io.weir.run.SweepResult;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code weir sweep} as a process. How fast the machine is decides which caps are tried, so it is
 * held only that what is told agrees with what was measured. {@code CapSweepTest} has all other
 * ways that a sweep takes, and {@code SweepWordsTest} what is said of them.
 */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandSweepTest {

  private static final String WEIR = "weir: preset=weir";

  @TempDir static Path shared;
  @TempDir static Path drawn;
  private static Path index;
  private static Path queries; // a run that is given some starts no JVM to draw them

  @TempDir Path temp;

  @BeforeAll
  static void build() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), 3000);
    queries = SmallIndex.queries(index, drawn.resolve("queries.txt"));
  }

  /** Only a slower merge will do, which every machine can have. */
  @Test
  void sweep_search_endsWithTheHighestCapThatMet() throws Exception {
    WeirProcess.Ended ended =
        sweep("--arm", WEIR, "--rounds", "1", "--slo", "merge.seconds > 1.5x uncapped");

    Run run = consistent(ended);
    SweepResult sweep = run.sweep().orElseThrow();
    assertEquals(List.of("merge.seconds > 1.5x uncapped"), sweep.objectives());
    assertEquals("weir uncapped", sweep.points().get(0).arm());
    assertEquals(Verdict.MISSED, sweep.points().get(0).verdict());
    assertTrue(sweep.points().size() > 2, ended.toString());
    assertTrue(
        ended.err().contains("arm weir uncapped (point 1, round 1 of 1): "), ended.toString());
    assertTrue(
        ended
            .err()
            .matches(
                "(?s).*arm weir \\S+ \\(point 3, round 1 of 1; uncapped missed, \\S+ (met|missed);"
                    + " at most about .* left\\): .*"),
        ended.toString());
    assertTrue(ended.err().contains(" to confirm it; "), ended.toString());
    assertTrue(ended.err().endsWith("report: run/report.html\n"), ended.toString());

    WeirProcess.Ended again = InProcess.run("report", temp.resolve("run").toString());
    assertEquals(0, again.exitCode(), again.toString());
    assertEquals(ended.out(), again.out());
    assertEquals(
        List.of("index", "index-resident"),
        List.of(shared.toFile().list()).stream().sorted().toList());
  }

  @Test
  void sweep_armsThatFail_endWithOneAndAReport() throws Exception {
    WeirProcess.Ended ended =
        sweep("--arm", "bad: jvm-args=-XX:+NoSuchFlag", "--slo", "reopen.p99 < 1h");

    assertEquals(1, ended.exitCode(), ended.toString());
    Run run = consistent(ended);
    assertEquals(1, run.parts().size(), "its other rounds would fail as well");
    assertEquals(SweepAnswer.Status.UNKNOWN, run.sweep().orElseThrow().answers().get(0).status());
    assertTrue(
        ended
            .out()
            .replaceAll("\\s+", " ")
            .contains("bad: the search did not finish; uncapped failed."),
        ended.toString());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void sweep_interrupted_keepsThePointsAndSaysWhatIsKnown() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(
            temp,
            arguments(
                "--arm",
                WEIR,
                "--rounds",
                "1",
                "--slo",
                "reopen.p99 < 0s",
                "--least",
                "20kB/s",
                "--most",
                "20kB/s"))) {
      weir.awaitProgress("arm weir 20kB/s (point 2, round 1 of 1; uncapped missed; at most about ");
      weir.awaitProgress("left): merging");
      weir.signal("INT");
      WeirProcess.Ended ended = weir.await();

      assertEquals(130, ended.exitCode(), ended.toString());
      Run run = consistent(ended);
      assertTrue(run.interrupted());
      assertEquals(2, run.parts().size());
      assertEquals(Status.INTERRUPTED, run.parts().get(1).status());
      assertEquals(
          List.of("weir uncapped"),
          run.sweep().orElseThrow().points().stream().map(SweepPoint::arm).toList());
      assertEquals(List.of(), run.slos());
      assertTrue(
          ended
              .out()
              .replaceAll("\\s+", " ")
              .contains("weir: the search did not finish; uncapped missed."),
          ended.toString());
      assertTrue(Files.size(temp.resolve("run/report.html")) > 10_000);
    }
  }

  @Test
  void sweep_dryRun_tellsTheWayAndTheMostTime() throws Exception {
    WeirProcess.Ended ended = plan("--slo", "reopen.p99 < 100ms", "--least", "1MB/s");

    assertEquals(0, ended.exitCode(), ended.toString());
    for (String line :
        List.of(
            "  caps      first none; if that misses, half of what the merge writes without a cap, and half"
                + " of that again and again, down to 1MB/s; then caps between\n",
            "  rounds    3 of each point, and as many again of an answer\n",
            "  slo       reopen.p99 < 100ms\n",
            "  time      at most about ",
            ", if an uncapped merge writes 50 MB/s and every answer is confirmed\n",
            "  arm       weir uncapped: preset=weir, cap=off, ",
            "  arm       stock uncapped: preset=stock, ")) {
      assertTrue(ended.out().contains(line), line + " is missing:\n" + ended);
    }
    assertFalse(Files.exists(temp.resolve("run")));
    WeirProcess.Ended list = plan("--slo", "reopen.p99 < 100ms", "--caps", "1MB/s,2.5MB/s");
    assertTrue(list.out().contains("  caps      none, 1MB/s, 2.5MB/s\n"), list.toString());
    WeirProcess.Ended counting =
        plan("--slo", "reopen.p99 < 100ms", "--arm", "weir: count-reads=on, cache=as-is");
    assertTrue( // without a cap there is nothing to count for
        counting.out().contains("weir uncapped: preset=weir, cap=off, count-reads=off, "),
        counting.toString());
  }

  @Test
  void sweep_help_hasExamplesAndExitCodes() throws Exception {
    WeirProcess.Ended ended = InProcess.run("sweep", "--help=all");

    assertEquals(0, ended.exitCode(), ended.toString());
    for (String part :
        List.of(
            "Usage: weir sweep",
            "--caps=RATE",
            "--docs=SOURCE",
            "--check-index",
            "Examples:\n  weir sweep --slo 'reopen.p99 < 100ms'\n",
            "Exit codes: 0 every arm has a cap")) {
      assertTrue(ended.out().contains(part), part + " is missing:\n" + ended);
    }
    assertEquals("", ended.err());
  }

  @ParameterizedTest
  @MethodSource
  void sweep_thatCannotBeDone_isRefusedBeforeWork(List<String> arguments, String message)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("sweep", "--out", temp.resolve("run").toString()));
    all.addAll(arguments);
    WeirProcess.Ended ended = InProcess.run(all.toArray(String[]::new));

    assertEquals(2, ended.exitCode(), ended.toString());
    assertEquals("weir: " + message + "\nTry 'weir sweep --help'.\n", ended.err());
    assertEquals(List.of(), WeirProcess.tree(temp));
  }

  static List<Arguments> sweep_thatCannotBeDone_isRefusedBeforeWork() {
    String slo = "--slo=reopen.p99 < 100ms";
    return List.of(
        Arguments.of(
            List.of(), "a sweep must have an objective, such as --slo 'reopen.p99 < 100ms'"),
        Arguments.of(
            List.of("--slo=stock: reopen.p99 < 100ms"),
            "an objective of a sweep is for all of its arms and must name none: 'stock: reopen.p99"
                + " < 100ms'"),
        Arguments.of(
            List.of("--slo=reopen.p99 < 1.2x stock"),
            "an objective of a sweep must be absolute or a ratio to 'uncapped', the same arm"
                + " without a cap: 'reopen.p99 < 1.2x stock'"),
        Arguments.of(
            List.of(slo, "--arm=a: cap=10MB/s"),
            "a sweep sets the cap itself, its arms must have none: 'a'"),
        Arguments.of(
            List.of(slo, "--merge=none"), "a sweep needs a merge to cap, not merge=none: 'weir'"),
        Arguments.of(
            List.of(slo, "--caps=5MB"), "caps must be a rate such as 10MB/s or 512KiB/s: 5MB"),
        Arguments.of(
            List.of(slo, "--least=off"), "least must be a rate such as 10MB/s or 512KiB/s: off"),
        Arguments.of(
            List.of(slo, "--least=9MB/s", "--most=5MB/s"),
            "--least must be at most --most, 5MB/s: 9MB/s"),
        Arguments.of(
            List.of(slo, "--most=9MB/s", "--caps=5MB/s"),
            "--least and --most bound a search, and with --caps there is none: [5MB/s]"),
        Arguments.of(List.of(slo, "--rounds=0"), "rounds must be from 1 to 100: 0"));
  }

  /** Reads the run, and holds everything it says against everything else. */
  private Run consistent(WeirProcess.Ended ended) throws Exception {
    RunFiles files = new RunFiles(temp.resolve("run"));
    RunSchema.assertValid(files.runJson());
    Run run = files.read();
    SweepResult sweep = run.sweep().orElseThrow();
    for (SweepPoint point : sweep.points()) {
      List<Part> rounds = rounds(run, point);
      assertEquals(rounds.size(), point.rounds(), point.toString());
      assertEquals(
          RunFigure.MERGE_SECONDS.median(rounds),
          Optional.ofNullable(point.figures().get("merge.seconds")),
          "of " + point);
      boolean failed = rounds.stream().anyMatch(round -> round.status() != Status.DONE);
      boolean met = point.slos().stream().allMatch(SloResult::met);
      boolean open = point.rounds() % sweep.rounds() != 0;
      assertEquals(
          failed ? Verdict.FAILED : open ? Verdict.OPEN : met ? Verdict.MET : Verdict.MISSED,
          point.verdict(),
          point.toString());
    }
    for (SweepAnswer answer : sweep.answers()) {
      List<SweepPoint> met =
          sweep.points().stream()
              .filter(p -> p.kind().equals(answer.kind()) && p.verdict() == Verdict.MET)
              .toList();
      assertEquals(
          answer.status() == SweepAnswer.Status.FOUND, answer.confirmed(), answer.toString());
      if (answer.status() == SweepAnswer.Status.FOUND) {
        SweepPoint best =
            met.stream()
                .filter(p -> answer.arm().equals(Optional.of(p.arm())))
                .findFirst()
                .orElseThrow();
        for (SweepPoint other : met) {
          assertTrue(
              best.figures().get("merge.seconds") <= other.figures().get("merge.seconds"),
              answer + " and " + other);
        }
        assertEquals(2 * sweep.rounds(), best.rounds());
      } else {
        assertEquals(List.of(), met);
      }
      assertTrue(("\n" + ended.out()).contains("\n" + answer.kind() + ": "), ended.toString());
    }
    boolean failed = run.parts().stream().anyMatch(arm -> arm.status() != Status.DONE);
    boolean found = sweep.answers().stream().allMatch(a -> a.status() == SweepAnswer.Status.FOUND);
    assertEquals(
        run.interrupted() ? 130 : failed ? 1 : found ? 0 : 3, ended.exitCode(), ended.toString());
    assertEquals(found, !run.slos().isEmpty() && run.slos().stream().allMatch(SloResult::met));
    assertEquals(
        sweep.points().stream().anyMatch(p -> p.figures().containsKey("merge.seconds")),
        Files.exists(files.sweepSvg()));
    assertEquals(
        Files.exists(files.sweepSvg()),
        Files.readString(files.reportHtml()).contains("<svg class=\"chart caps\""));
    return run;
  }

  private static List<Part> rounds(Run run, SweepPoint point) {
    return run.parts().stream()
        .filter(arm -> arm.name().equals(point.arm()))
        .filter(arm -> !run.interrupted() || arm.status() != Status.INTERRUPTED)
        .toList();
  }

  private WeirProcess.Ended sweep(String... arguments) throws Exception {
    try (WeirProcess weir = WeirProcess.start(temp, arguments(arguments))) {
      return weir.await();
    }
  }

  private WeirProcess.Ended plan(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments(arguments)));
    all.set(all.indexOf("run"), temp.resolve("run").toString());
    all.add("--dry-run");
    return InProcess.run(all.toArray(String[]::new));
  }

  private static String[] arguments(String... more) {
    List<String> all =
        new ArrayList<>(List.of("sweep", "--out", "run", "--docs", "synthetic:3000"));
    all.addAll(List.of("--index", index.toString(), "--queries", queries.toString()));
    all.addAll(List.of("--warmup", "200ms", "--before", "200ms", "--after", "200ms"));
    all.addAll(List.of("--reopens-per-second", "20"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
