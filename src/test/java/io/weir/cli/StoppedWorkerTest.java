package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JVM of an arm is stopped from outside for a known while, as a long collection or a frozen
 * virtual machine stops it. All that the arm tells about it is held to that while: none of its
 * threads ran, so nothing in it could look at a clock.
 */
@Slow("starts the command line, which starts a JVM for each arm")
@DisabledOnOs(OS.WINDOWS)
class StoppedWorkerTest {

  private static final Duration STOP = Duration.ofMillis(1200);
  private static final int REOPENS_PER_SECOND = 10;

  @TempDir Path temp;

  @Test
  void stress_aWorkerThatStandsStill_isToldByReopensHiccupsAndSamples() throws Exception {
    Path index = SmallIndex.build(temp.resolve("index"), 2000);
    Path queries = SmallIndex.queries(index, temp.resolve("queries.txt"));
    double stoppedMillis;
    try (WeirProcess weir =
        WeirProcess.start(
            temp,
            "stress",
            "--docs=synthetic:2000",
            "--out=run",
            "--index=" + index,
            "--queries=" + queries,
            "--warmup=300ms",
            "--before=300ms",
            "--after=300ms",
            "--arm",
            "arm: merge=none, during=4s, reopens-per-second=" + REOPENS_PER_SECOND)) {
      weir.awaitProgress("arm arm (1 of 1): without a merge");
      stoppedMillis = stop(weir.child());
      WeirProcess.Ended ended = weir.await();
      assertEquals(0, ended.exitCode(), ended.toString());
    }

    Part arm = new RunFiles(temp.resolve("run")).read().parts().get(0);
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
    List<String> warnings = arm.warnings().stream().map(warning -> warning.what()).toList();
    assertTrue(
        warnings.stream().anyMatch(what -> what.contains("samples were missed")),
        warnings.toString());
  }

  /** Returns for how long at least no thread of it ran, in milliseconds. */
  private static double stop(ProcessHandle worker) throws Exception {
    signal("STOP", worker);
    long stoppedNanos = System.nanoTime();
    long untilNanos = stoppedNanos + STOP.toNanos();
    for (long now = stoppedNanos; now < untilNanos; now = System.nanoTime()) {
      LockSupport.parkNanos(untilNanos - now);
    }
    double millis = (System.nanoTime() - stoppedNanos) / 1e6;
    signal("CONT", worker);
    return millis;
  }

  private static void signal(String name, ProcessHandle to) throws Exception {
    assertEquals(
        0, new ProcessBuilder("kill", "-" + name, Long.toString(to.pid())).start().waitFor());
  }

  private static void assertAtLeast(double leastMillis, double millis, String what) {
    assertTrue(millis >= leastMillis, "%s: %f of %f ms".formatted(what, millis, leastMillis));
  }
}
