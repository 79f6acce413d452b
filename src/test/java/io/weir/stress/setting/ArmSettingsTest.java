package io.weir.stress.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.Rate;
import io.weir.stress.QuickArm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ArmSettingsTest {

  @ParameterizedTest
  @MethodSource
  void settings_thatCannotBeRun_areRefused(Consumer<QuickArm> change, String message) {
    QuickArm arm = new QuickArm();
    change.accept(arm);

    assertEquals(message, assertThrows(IllegalArgumentException.class, arm::settings).getMessage());
  }

  static Stream<Arguments> settings_thatCannotBeRun_areRefused() {
    return Stream.of(
        refused(
            arm -> arm.preset = Preset.STOCK,
            "cap needs preset=weir, because preset=stock has nothing that could cap:"
                + " cap=unlimited"),
        refused(arm -> arm.cap = null, "preset=weir needs a cap (a rate or off)"),
        refused(
            arm -> arm.updatesPerSecond = -1,
            "updates-per-second must be from 0 to 100000 per second: -1"),
        refused(
            arm -> arm.updatesPerSecond = Double.NaN,
            "updates-per-second must be from 0 to 100000 per second: NaN"),
        refused(
            arm -> arm.updatesPerSecond = Double.POSITIVE_INFINITY,
            "updates-per-second must be from 0 to 100000 per second: Infinity"),
        refused(
            arm -> arm.reopensPerSecond = 0,
            "reopens-per-second must be from 0.01 to 100000 per second: 0"),
        refused(
            arm -> arm.searchesPerSecond = 100_001,
            "searches-per-second must be from 0 to 100000 per second: 100001"),
        refused(
            arm -> arm.commitsPerMinute = 6000.5,
            "commits-per-minute must be from 0 to 6000 per minute: 6000.5"),
        refused(
            arm -> arm.commitsPerMinute = Double.NaN,
            "commits-per-minute must be from 0 to 6000 per minute: NaN"),
        refused(
            arm -> arm.warmup = Duration.ofMillis(-1), "warmup must be from 0 s to 24 h: -0.001 s"),
        refused(
            arm -> arm.fullFlushWait = Duration.ofMillis(-1),
            "full-flush-wait must be from 0 s to 24 h: -0.001 s"),
        refused(
            arm -> arm.writebackRangeBytes = 96 << 10,
            "writeback must be off or a multiple of 64KiB, from 64KiB to 1024MiB: 96KiB"),
        refused(
            arm -> arm.writebackRangeBytes = 1000,
            "writeback must be off or a multiple of 64KiB, from 64KiB to 1024MiB: 1000B"),
        refused(
            arm -> arm.writebackRangeBytes = 2L << 30,
            "writeback must be off or a multiple of 64KiB, from 64KiB to 1024MiB: 2048MiB"),
        refused(
            arm -> arm.writebackRangeBytes = -65536,
            "writeback must be off or a multiple of 64KiB, from 64KiB to 1024MiB: -64KiB"),
        refused(
            arm -> arm.smallFileBytes = (1 << 20) + 1,
            "small-files must be off or from 1B to 1MiB: 1048577B"),
        refused(arm -> arm.smallFileBytes = -1, "small-files must be off or from 1B to 1MiB: -1B"),
        refused(
            arm -> arm.directory = DirectoryKind.NIO,
            "small-files needs directory=mmap, because with directory=nio it does nothing:"
                + " small-files=64KiB"),
        refused(
            arm -> arm.before = Duration.ofHours(25), "before must be from 0 s to 24 h: 90000 s"),
        refused(
            arm -> arm.during = Duration.ofHours(24).plusMillis(1),
            "during must be from 0 s to 24 h: 86400.001 s"),
        refused(arm -> arm.after = Duration.ofDays(9), "after must be from 0 s to 24 h: 777600 s"));
  }

  @Test
  void describe_aCappedArm_isWhatTheCommandLineUnderstands() {
    QuickArm arm = new QuickArm();
    arm.cap = Rate.perSecond(10_000_000);
    arm.jvmArguments = List.of("-XX:+UseZGC", "-Xmx2g");
    arm.jvm = "java";
    arm.reopensPerSecond = 0.5;
    arm.writebackRangeBytes = 192 << 10;
    arm.smallFileBytes = 4000;

    assertEquals(
        Map.ofEntries(
            Map.entry("preset", "weir"),
            Map.entry("cap", "10MB/s"),
            Map.entry("writeback", "192KiB"),
            Map.entry("drop-written", "never"),
            Map.entry("small-files", "4000B"),
            Map.entry("unmap", "deferred"),
            Map.entry("warmer", "on"),
            Map.entry("readers-first", "on"),
            Map.entry("id-postings", "resident"),
            Map.entry("compound", "default"),
            Map.entry("directory", "mmap"),
            Map.entry("cache", "as-is"),
            Map.entry("merge", "forced"),
            Map.entry("mode", "update"),
            Map.entry("updates-per-second", "100"),
            Map.entry("reopens-per-second", "0.5"),
            Map.entry("searches-per-second", "50"),
            Map.entry("commits-per-minute", "0"),
            Map.entry("warmup", "300ms"),
            Map.entry("before", "400ms"),
            Map.entry("after", "400ms"),
            Map.entry("jvm", "java"),
            Map.entry("jvm-args", "-XX:+UseZGC -Xmx2g")),
        arm.settings().describe());
  }

  @Test
  void describe_aStockArmWithoutAMerge_leavesOutWhatDoesNotApply() {
    QuickArm arm = new QuickArm();
    arm.preset = Preset.STOCK;
    arm.cap = null;
    arm.luceneForceMergeCap = 5_000L;
    arm.merge = MergeWorkload.NONE;
    arm.writebackRangeBytes = 0;
    arm.smallFileBytes = 0;
    arm.directory = DirectoryKind.NIO;
    arm.unmap = Unmapping.INLINE;
    arm.warmer = false;

    Map<String, String> options = arm.settings().describe();

    assertEquals(null, options.get("cap"));
    assertEquals("5kB/s", options.get("lucene-force-merge-cap"));
    assertEquals("500ms", options.get("during"));
    assertEquals("off", options.get("writeback"));
    assertEquals("never", options.get("drop-written"));
    assertEquals("off", options.get("small-files"));
    assertEquals("nio", options.get("directory"));
    assertEquals("inline", options.get("unmap"));
    assertEquals("off", options.get("warmer"));
    assertEquals("off", options.get("readers-first"));
  }

  private static Arguments refused(Consumer<QuickArm> change, String message) {
    return Arguments.of(change, message);
  }
}
