package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A real disk that is full from a moment on: a mount of this test's own, which is made smaller. */
@Slow("starts the command line, which starts a JVM for each arm")
@EnabledOnOs(OS.LINUX)
class CommandFullDiskTest {

  private static final String QUICK = " --warmup 300ms --before 5s --after 300ms";

  @TempDir Path temp;

  @BeforeAll
  static void requireMounts() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0,
        "SKIPPED: this user may not mount");
  }

  @Test
  void stress_diskFullInAnArm_isOneLineThatNamesIt() throws Exception {
    WeirProcess.Ended ended =
        fullWhen(
            "before the merge",
            // A failed update ends the arm long before this phase would end.
            "stress --docs synthetic:2000 --index disk/kept --out run --arm a:preset=stock"
                + " --warmup 300ms --before 60s --after 300ms");
    assertOneLine("weir: arm a failed: the disk of " + temp.resolve("disk/kept.copies-"), ended);
    assertTrue(
        ended.out().replaceAll("\\s+", " ").contains("the disk of " + temp), ended.toString());
    assertTrue(Files.exists(temp.resolve("run/report.html")), ended.toString());
  }

  @Test
  @LongRun("the command that stress_diskFullInAnArm_isOneLineThatNamesIt leaves out")
  void load_diskFullInAnArm_isOneLineThatNamesIt() throws Exception {
    WeirProcess.Ended ended =
        fullWhen(
            "warming up",
            "load --docs synthetic:2000 --index disk/kept --out run --arm a:preset=stock"
                + " --warmup 3s --load 20 --step 10s --updates-per-second 20");
    assertOneLine(
        "weir: arm a, round 1 failed: the disk of " + temp.resolve("disk/kept.copies-"), ended);
    assertTrue(Files.exists(temp.resolve("run/report.html")), ended.toString());
  }

  @Test
  void stress_diskFullInTheBuild_isOneLineThatNamesIt() throws Exception {
    WeirProcess.Ended ended =
        fullWhen(
            "building the index",
            "stress --docs synthetic:60000 --index disk/kept --out run" + QUICK);
    assertOneLine(
        "weir: building the index failed: the disk of " + temp.resolve("disk/kept"), ended);
    assertFalse(Files.exists(temp.resolve("run")), ended.toString());
  }

  /** The disk of the results; the index is on another. */
  @Test
  void stress_diskOfTheResultsFull_isOneLineThatNamesIt() throws Exception {
    WeirProcess.Ended ended =
        fullWhen(
            "opening the index", // it is always said; a short phase may pass unsaid
            "stress --docs synthetic:2000 --index kept --out disk/run --arm a:preset=stock"
                + QUICK);
    assertEquals(1, ended.exitCode(), ended.toString());
    assertTrue(
        ended.err().matches("(?s).*the disk of \\S*disk/run\\S* is full: .*"), ended.toString());
    assertFalse(ended.toString().contains("\tat "), ended.toString());
  }

  private static void assertOneLine(String message, WeirProcess.Ended ended) {
    assertEquals(1, ended.exitCode(), ended.toString());
    List<String> lines = ended.err().lines().filter(line -> line.contains("weir: ")).toList();
    assertEquals(1, lines.size(), ended.toString());
    assertTrue(lines.get(0).contains(message), ended.toString());
    assertTrue(lines.get(0).matches(".* is full: [0-9.]+ MB free\\b.*"), ended.toString());
    assertFalse(ended.toString().contains("\tat "), ended.toString());
    assertFalse(ended.out().contains("exit code"), ended.toString());
  }

  /**
   * Runs {@code weir}.
   *
   * @param progress what its standard error says when {@code disk} has 300 KiB left
   */
  private WeirProcess.Ended fullWhen(String progress, String arguments) throws Exception {
    return WeirProcess.runScript(
        temp,
        List.of("unshare", "-m"),
        Map.of(),
        """
        mkdir disk && mount -t tmpfs -o size=1g weir-small disk || exit 99
        : >err
        %s %s 2>err &
        weir=$!
        until grep -q '%s' err || ! kill -0 $weir 2>/dev/null; do sleep 0.02; done
        smaller() {
          used=$(df -k --output=used disk | tail -n 1) # deleted files that are open count too
          mount -o remount,size=$((used + 8))k weir-small disk 2>/dev/null
        }
        until smaller || ! kill -0 $weir 2>/dev/null; do :; done # it goes on writing
        # What a merge sets free is taken at once.
        while kill -0 $weir 2>/dev/null; do cat /dev/zero >>disk/filler; sleep 0.1; done 2>/dev/null
        wait $weir
        code=$?
        cat err >&2
        exit $code
        """
            .formatted(WeirProcess.words(), arguments, progress));
  }
}
