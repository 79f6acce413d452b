package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * One run whose arms end in all bad ways, but for the last: it is stopped from outside for a known
 * while, as a long collection or a frozen virtual machine stops it. All that this arm tells about
 * it is held to that while: none of its threads ran, so nothing in it could look at a clock.
 *
 * <p>Its documents are the working directory, in which another run and its index lie.
 */
@Slow("starts the command line, which starts a JVM for each arm")
@DisabledOnOs(OS.WINDOWS)
class CommandFailingArmsTest {

  private static final int DOCUMENTS = 20;
  private static final Duration STOP = Duration.ofMillis(1200);
  private static final int REOPENS_PER_SECOND = 10;

  @TempDir static Path shared;
  @TempDir static Path elsewhere;
  private static WeirProcess.Ended ended;
  private static WeirProcess.Ended refused;
  private static double stoppedMillis;
  private static Run run;

  @BeforeAll
  static void run() throws Exception {
    for (int i = 0; i < DOCUMENTS; i++) {
      Files.writeString(shared.resolve("text-" + i), "some words\n");
    }
    SampleRun.pair(shared.resolve("first"));
    SmallIndex.build(shared.resolve("kept-first"), 10);
    Path queries =
        Files.writeString(elsewhere.resolve("three.txt"), "words\nnowhere\nneither OR nor\n");
    try (WeirProcess weir =
        WeirProcess.start(
            shared,
            "stress",
            "--docs=.",
            "--index=kept-second",
            "--out=second",
            "--queries=" + queries,
            "--searches-per-second=50",
            "--warmup=300ms",
            "--before=400ms",
            "--after=300ms",
            "--arm=flag: jvm-args=-XX:+NoSuchFlag",
            "--arm=heap: jvm-args=-Xms64m -Xmx9m",
            "--arm=path: jvm=" + WeirProcess.javaThatIsGoneAfterItsVersion(elsewhere),
            "--arm=killed: warmup=60s",
            "--arm=crash: warmup=60s, jvm-args=-Xmx128m -XX:-CreateCoredumpOnCrash"
                + " -XX:ErrorFile=/dev/null",
            "--arm=stopped: merge=none, during=4s, jvm-args=-Xmx256m, reopens-per-second="
                + REOPENS_PER_SECOND)) {
      weir.awaitProgress("measuring background noise");
      refused = InProcess.run("stress", "--docs=synthetic:10", "--out=" + shared.resolve("second"));
      weir.awaitProgress("arm killed (4 of 6): warming up");
      weir.child().destroyForcibly();
      weir.awaitProgress("arm crash (5 of 6): warming up");
      weir.signalChild("SEGV");
      weir.awaitProgress("arm stopped (6 of 6): without a merge");
      stoppedMillis = stop(weir);
      ended = weir.await();
    }
    RunFiles files = new RunFiles(shared.resolve("second"));
    RunSchema.assertValid(files.runJson());
    run = files.read();
  }

  /** Returns for how long at least no thread of its worker ran, in milliseconds. */
  private static double stop(WeirProcess weir) throws Exception {
    weir.signalChild("STOP");
    long stoppedNanos = System.nanoTime();
    long untilNanos = stoppedNanos + STOP.toNanos();
    for (long now = stoppedNanos; now < untilNanos; now = System.nanoTime()) {
      LockSupport.parkNanos(untilNanos - now);
    }
    double millis = (System.nanoTime() - stoppedNanos) / 1e6;
    weir.signalChild("CONT");
    return millis;
  }

  @Test
  void stress_anArmWhoseJvmDoesNotStart_failsAloneAndSaysWhy() throws Exception {
    assertEquals(1, ended.exitCode(), ended.toString());
    assertFailed(0, "exit code 1", "NoSuchFlag");
    assertFailed(1, "exit code 1", "heap size");
    Part path = assertFailed(2, "could not be run: ", null);
    assertEquals(Optional.empty(), path.failure().orElseThrow().exitCode());
    assertEquals(Status.DONE, last().status(), ended.toString());
    assertEquals(
        1,
        Files.readAllLines(shared.resolve("second/reopens.csv")).stream()
            .filter(line -> line.startsWith("arm,round,phase"))
            .count());
    assertTrue(Files.exists(shared.resolve("second/report.html")));
    assertFalse(Files.exists(shared.resolve("second/.work")));
    try (var left = Files.list(shared)) {
      assertEquals(
          List.of("first", "kept-first", "kept-second-resident", "second"),
          left.filter(Files::isDirectory)
              .map(directory -> directory.getFileName().toString())
              .sorted()
              .toList(),
          "copies are left");
    }
  }

  @Test
  void stress_anArmThatIsKilled_failsAndTheNextOneRuns() {
    Part killed = assertFailed(3, "its JVM was ended by signal 9", null);
    assertEquals(Optional.of(137), killed.failure().orElseThrow().exitCode());
    assertEquals(Status.DONE, last().status());
    assertFalse(run.interrupted());
  }

  /** A JVM that crashes has its recorder leave a file, by default where the command was run. */
  @Test
  void stress_anArmThatCrashes_leavesNothingOfTheRecorder() throws Exception {
    assertEquals(Status.FAILED, run.parts().get(4).status());
    List<String> left = WeirProcess.tree(shared);
    assertFalse(left.stream().anyMatch(name -> name.contains("jfr")), left.toString());
  }

  /** The second deleted what the first needed, and neither left a run. */
  @Test
  void stress_whereAnotherRunHasBegun_isRefusedAndLeavesThatAlone() {
    assertEquals(2, refused.exitCode(), refused.toString());
    assertTrue(refused.err().startsWith("weir: --out "), refused.toString());
    assertEquals(6, run.parts().size(), "of the run that had begun");
  }

  /** The files of an earlier run, and the index it kept, were documents. */
  @Test
  void stress_docsOfTheWorkingDirectory_areNoFilesOfRunsAndIndexes() {
    assertEquals(Integer.toString(DOCUMENTS), run.workload().get("documents"), ended.toString());
    assertEquals(
        List.of(
            "weir: not taken for documents, as Weir made them: "
                + shared.resolve("first")
                + ", "
                + shared.resolve("kept-first")),
        ended.err().lines().filter(line -> line.contains("not taken")).toList());
  }

  @Test
  void stress_queriesThatFindLittle_warnsThatTheyFindNothing() {
    Part arm = last();
    assertEquals(
        List.of(
            "%d of %d searches found no document, and so had nothing to read"
                .formatted(
                    arm.require(ArmFigures.SEARCHES_WITHOUT_HITS),
                    arm.require(ArmFigures.SEARCHES))),
        arm.warnings().stream()
            .map(RunWarning::what)
            .filter(what -> what.contains("found no document"))
            .toList());
  }

  @Test
  void stress_aWorkerThatStandsStill_isToldByReopensHiccupsAndSamples() {
    Part arm = last();
    // A turn is late by what passed since it was due, and it was due 5 ms after the stop began, or
    // sooner; so with reopens, which are due every 100 ms.
    assertAtLeast(
        stoppedMillis - 5, arm.latency(ArmFigures.HICCUPS, Phase.DURING).maxMillis(), "hiccup");
    assertAtLeast(stoppedMillis, arm.require(ArmFigures.LONGEST_GAP), "gap of samples");
    double intervalMillis = 1000.0 / REOPENS_PER_SECOND;
    assertAtLeast(
        stoppedMillis - intervalMillis,
        arm.latency(ArmFigures.REOPEN, Phase.DURING).maxMillis(),
        "reopen");
    // Each one due in it counts: with one of ten, the mean of all tells how many there were.
    double sumMillis =
        arm.latency(ArmFigures.REOPEN, Phase.DURING).meanMillis()
            * arm.latency(ArmFigures.REOPEN, Phase.DURING).count();
    double leastMillis = 0;
    for (double late = stoppedMillis - intervalMillis; late > 0; late -= intervalMillis) {
      leastMillis += late;
    }
    assertAtLeast(leastMillis, sumMillis, "sum of all reopens");
    assertTrue(arm.require(ArmFigures.MISSED_SAMPLES) >= 10, arm.toString());
    List<String> warnings = arm.warnings().stream().map(RunWarning::what).toList();
    assertTrue(
        warnings.stream().anyMatch(what -> what.contains("samples were missed")),
        warnings.toString());
  }

  private static void assertAtLeast(double leastMillis, double millis, String what) {
    assertTrue(millis >= leastMillis, "%s: %f of %f ms".formatted(what, millis, leastMillis));
  }

  private static Part last() {
    return run.parts().getLast();
  }

  private static Part assertFailed(int number, String reason, String lastLine) {
    Part result = run.parts().get(number);
    Part arm = assertInstanceOf(Part.class, result);
    assertTrue(arm.failure().orElseThrow().reason().contains(reason), arm.failure().toString());
    assertTrue(
        ended
            .err()
            .contains(
                "weir: arm " + arm.name() + " failed: " + arm.failure().orElseThrow().reason()),
        ended.toString());
    if (lastLine != null) {
      assertTrue(
          arm.failure().orElseThrow().lastLines().toString().contains(lastLine),
          arm.failure().toString());
      assertTrue(ended.err().contains(lastLine), ended.toString());
    }
    return arm;
  }
}
