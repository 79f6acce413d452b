package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.run.CanaryFigures;
import io.weir.run.CanaryFigures.Probe;
import io.weir.run.Part;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The canary of a run, as its users meet it. */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandCanaryTest {

  private static final List<String> SHORT_RUN =
      List.of(
          "stress",
          "--docs=synthetic:500",
          "--index=kept",
          "--out=run",
          "--merge=none",
          "--warmup=100ms",
          "--before=100ms",
          "--during=300ms",
          "--after=100ms");

  @TempDir Path temp;

  private static String canary(int millis) {
    return "-Dio.weir.canary.millis=" + millis;
  }

  private WeirProcess start(String options) throws Exception {
    return WeirProcess.startWith(options, temp, SHORT_RUN.toArray(String[]::new));
  }

  @Test
  void stress_hasTheCanaryOfEachArm_inTheRunAndInTheHistory_andLeavesNoFile() throws Exception {
    SmallIndex.build(temp.resolve("kept"), 500);
    try (WeirProcess weir = start(canary(400))) {
      WeirProcess.Ended ended = weir.await();
      assertEquals(0, ended.exitCode(), ended.toString());
    }
    RunFiles files = new RunFiles(temp.resolve("run"));
    RunSchema.assertValid(files.runJson());
    for (Part arm : files.read().parts()) {
      for (Probe probe : List.of(Probe.SYNC, Probe.SUM)) {
        assertTrue(arm.require(CanaryFigures.TOOK, probe).count() > 0, arm.name() + " " + probe);
      }
    }
    try (Stream<Path> left = Files.list(temp)) {
      assertFalse(left.anyMatch(file -> file.toString().endsWith(".canary")));
    }
    WeirProcess.Ended history = WeirProcess.run(temp, "history", "add", "run", "--history=days");
    assertEquals(0, history.exitCode(), history.toString());
    try (Stream<Path> days = Files.walk(temp.resolve("days")).filter(Files::isRegularFile)) {
      assertTrue(
          Files.readString(days.findFirst().orElseThrow())
              .contains("arms[weir].canary.sync.p50Millis"));
    }
  }

  @Test
  void stress_interruptedInACanary_endsAtOnce() throws Exception {
    SmallIndex.build(temp.resolve("kept"), 500);
    try (WeirProcess weir = start(canary(600_000))) {
      weir.awaitProgress("reads, syncs and sums");
      weir.signal("INT");
      WeirProcess.Ended ended = weir.await(60);
      assertEquals(130, ended.exitCode(), ended.toString());
      assertFalse(ended.toString().contains("\tat "), ended.toString());
    }
    assertFalse(Files.exists(temp.resolve("kept.canary")));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void stress_noRoomForTheCanary_isOneLine() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0,
        "SKIPPED: this user may not mount");
    SmallIndex.build(temp.resolve("built"), 500);
    List<String> run = new ArrayList<>(SHORT_RUN);
    run.set(2, "--index=disk/kept");
    WeirProcess.Ended ended =
        WeirProcess.runScript(
            temp,
            List.of("unshare", "-m"),
            Map.of(),
            """
            mkdir disk && mount -t tmpfs -o size=1g weir-small disk || exit 99
            cp -r built disk/kept
            : >err
            %s %s 2>err &
            weir=$!
            until grep -q 'measuring background noise' err || ! kill -0 $weir; do sleep 0.02; done
            mount -o remount,size=$(($(df -k --output=used disk | tail -n 1) + 8000))k weir-small disk
            wait $weir
            code=$?
            cat err >&2
            exit $code
            """
                .formatted(
                    WeirProcess.words().replace("canary.millis=0", "canary.millis=400"),
                    String.join(" ", run)));
    assertEquals(1, ended.exitCode(), ended.toString());
    List<String> lines = ended.err().lines().filter(line -> line.contains("weir: ")).toList();
    assertEquals(1, lines.size(), ended.toString());
    assertTrue(
        lines
            .getFirst()
            .matches(".*the disk of \\S+/disk is full: .* the canary .* needs 33.6 MB.*"),
        ended.toString());
    assertFalse(ended.toString().contains("\tat "), ended.toString());
  }
}
