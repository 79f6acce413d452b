package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.Rate;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Setting;
import io.weir.stress.setting.UpdateMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArmOptionsTest {

  private static final ArmOptions STRESS = new ArmOptions.OfStress();

  @Test
  void parse_nothingSet_isWhatTheRunHas() {
    ArmSettings ofTheRun = ArmSettings.DEFAULT.with(ArmSetting.MODE, UpdateMode.SOFT_UPDATE);

    assertEquals(new Arm("plain", ofTheRun), STRESS.parse("plain:", ofTheRun));
  }

  @Test
  void parse_eachSetting_isRead() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("preset", "weir");
    all.put("cap", "10MB/s");
    all.put("count-reads", "on");
    all.put("hold", "reopen.p99<50ms");
    all.put("lucene-force-merge-cap", "5MB/s");
    all.put("full-flush-wait", "250ms");
    all.put("writeback", "256KiB");
    all.put("merge-page-cache", "kernel");
    all.put("small-files", "4000B");
    all.put("flushed-files", "2MiB");
    all.put("commit-sync", "inline");
    all.put("unmap", "inline");
    all.put("warmer", "off");
    all.put("readers-first", "off");
    all.put("idle-class", "off");
    all.put("merge-cpu", "1.5");
    all.put("id-postings", "default");
    all.put("compound", "always");
    all.put("codec", "best-compression");
    all.put("vector-format", "int4");
    all.put("directory", "mmap");
    all.put("read-advice", "by-context");
    all.put("overlays", "8");
    all.put("cache", "cold");
    all.put("merge", "none");
    all.put("mode", "soft-update");
    all.put("updates-per-second", "1.5");
    all.put("reopens-per-second", "2");
    all.put("searches-per-second", "5,60,0.5/1500ms"); // its commas part no settings
    all.put("commits-per-minute", "7.5");
    all.put("warmup", "1s");
    all.put("before", "2s");
    all.put("during", "3500ms");
    all.put("after", "4s");
    all.put("lucene", "10.6.0");
    all.put("jvm", "bin/java");
    all.put("jvm-args", "-XX:+UseZGC -Xmx2g");
    String text =
        all.entrySet().stream()
            .map(setting -> setting.getKey() + "=" + setting.getValue())
            .collect(Collectors.joining(" ,"));

    // Two are of a large merge, but then there is no length of the middle phase.
    Set<String> ofALargeMerge = Set.of("deadline", "merge-timeout");
    assertEquals(
        ArmSetting.all().stream()
            .map(Setting::key)
            .filter(key -> !ofALargeMerge.contains(key))
            .toList(),
        List.copyOf(all.keySet()));
    assertEquals(all, settings("all: " + text).describe());
  }

  @Test
  void parse_deadline_isRead() {
    assertEquals("90s", settings("night: deadline=1.5m").describe().get("deadline"));
  }

  @Test
  void parse_mergeTimeout_isRead() {
    assertEquals("180s", settings("a: merge-timeout=180s").describe().get("merge-timeout"));
    assertEquals(
        Map.of("merge", "none"),
        settings("a: merge=none, merge-timeout=180s").describe().entrySet().stream()
            .filter(setting -> setting.getKey().matches("merge|merge-timeout"))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  @Test
  void parse_whatTheRunSays_isTakenUnlessOverridden() {
    ArmSettings ofTheRun =
        ArmSettings.DEFAULT
            .with(ArmSetting.MERGE, MergeWorkload.NONE)
            .with(ArmSetting.BEFORE, Duration.ofSeconds(3));

    ArmSettings settings = STRESS.parse("x: before=4s", ofTheRun).settings();

    assertEquals(MergeWorkload.NONE, settings.get(ArmSetting.MERGE));
    assertEquals(Duration.ofSeconds(4), settings.get(ArmSetting.BEFORE));
    assertEquals(Duration.ofSeconds(10), settings.get(ArmSetting.AFTER));
  }

  @Test
  void parse_withoutAName_isItsOwnName() {
    Arm arm = STRESS.parse("cap=10MB/s", ArmSettings.DEFAULT);

    assertEquals("cap=10MB/s", arm.name());
    assertEquals(Rate.perSecond(10_000_000), arm.settings().get(ArmSetting.CAP));
  }

  @Test
  void parse_colonInAValue_isNoName() {
    Arm arm = STRESS.parse("jvm-args=-XX:+UseZGC", ArmSettings.DEFAULT);

    assertEquals("jvm-args=-XX:+UseZGC", arm.name());
    assertEquals(List.of("-XX:+UseZGC"), arm.settings().get(ArmSetting.JVM_ARGS));
  }

  @Test
  void parse_commaInJvmArguments_isPartOfThem() {
    assertEquals(
        List.of("-Xlog:gc*,safepoint:file=gc.log", "-Xmx1g"),
        settings("x: jvm-args=-Xlog:gc*,safepoint:file=gc.log -Xmx1g, cap=off")
            .get(ArmSetting.JVM_ARGS));
  }

  /** It was one argument without a character, which java takes for the name of the class. */
  @Test
  void parse_emptyJvmArguments_areNone() {
    assertEquals(List.of(), settings("x: jvm-args=").get(ArmSetting.JVM_ARGS));
    assertEquals(List.of(), settings("x: cap=off, jvm-args= ").get(ArmSetting.JVM_ARGS));
  }

  @ParameterizedTest
  @CsvSource({
    "cpa, cap",
    "capp, cap",
    "Cap, cap",
    "updates, updates-per-second",
    "update-per-second, updates-per-second",
    "jvm-arg, jvm-args",
    "jvmargs, jvm-args",
    "write-back, writeback",
    "compund, compound",
    "reader-first, readers-first",
    "mrege, merge",
    "befor, before"
  })
  void parse_aMisspeltSetting_isAnsweredWithTheNearestOne(String typed, String meant) {
    assertRefused(
        "--arm has no setting '%s' in 'x: %s=1': did you mean %s? (weir stress --help=all lists all)"
            .formatted(typed, typed, meant),
        "x: " + typed + "=1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "speed", "throttle", "index"})
  void parse_aSettingLikeNoOther_isAnsweredWithWhereTheyAre(String typed) {
    assertRefused(
        "--arm has no setting '%s' in '%s=1' (weir stress --help=all lists all)"
            .formatted(typed, typed),
        typed + "=1");
  }

  @Test
  void parse_noKeyAndValue_isRefused() {
    assertRefused(
        "--arm must be NAME: key=value, key=value, ...; no key=value: 'stock' in 'stock'", "stock");
  }

  @Test
  void parse_sameKeyTwice_isRefused() {
    assertRefused("--arm must set cap once: 'x: cap=off, cap=1MB/s'", "x: cap=off, cap=1MB/s");
  }

  @Test
  void parse_badValue_namesTheKeyAndTheRule() {
    assertRefused("cap must be a rate such as 10MB/s or 512KiB/s, or off: fast", "x: cap=fast");
    assertRefused(
        "lucene-force-merge-cap must be a rate such as 10MB/s or 512KiB/s: off",
        "x: lucene-force-merge-cap=off");
    assertRefused("merge must be one of forced, natural, none: big", "x: merge=big");
    assertRefused(
        "id-postings must be one of default, resident: preloaded", "x: id-postings=preloaded");
    assertRefused("unmap must be one of deferred, inline: late", "x: unmap=late");
    assertRefused("warmer must be one of on, off: yes", "x: warmer=yes");
    assertRefused("directory must be one of mmap, nio, direct, heap: ram", "x: directory=ram");
    assertRefused("cache must be one of as-is, cold, warm: as_is", "x: cache=as_is");
    assertRefused("writeback must be a size such as 1MiB or 512KiB, or off: 1", "x: writeback=1");
    assertRefused(
        "writeback must be off or a multiple of 64KiB, from 64KiB to 1024MiB: 1KiB",
        "x: writeback=1KiB");
    assertRefused(
        "merge-page-cache must be one of kernel, neutral: sometimes",
        "x: merge-page-cache=sometimes");
    assertRefused("small-files must be off or from 1B to 1MiB: 2MiB", "x: small-files=2MiB");
    assertRefused("mode must be one of update, soft-update, add: delete", "x: mode=delete");
    assertRefused("preset must be one of weir, stock: es", "x: preset=es");
    assertRefused("before must be a duration such as 10s, 500ms or 2m: 10", "x: before=10");
    assertRefused(
        "commits-per-minute must be a number from 0 to 6000 per minute, or levels in turn such as"
            + " 5,60/20s: few",
        "x: commits-per-minute=few");
    assertRefused(
        "updates-per-second must be a number from 0 to 100000 per second, or levels in turn such as"
            + " 5,60/20s: many",
        "x: updates-per-second=many");
    assertRefused(
        "updates-per-second must be a number from 0 to 100000 per second, or levels in turn such as"
            + " 5,60/20s: -3",
        "x: updates-per-second=-3");
  }

  @Test
  void parse_settingsThatContradictEachOther_areRefused() {
    assertRefused(
        "cap needs preset=weir, because preset=stock has nothing that could cap: cap=1MB/s",
        "x: preset=stock, cap=1MB/s");
  }

  @Test
  void parse_noName_isRefused() {
    assertRefused(
        "arm name must have from 1 to 60 bytes of UTF-8 and no control characters: ''",
        ": cap=off");
  }

  private static ArmSettings settings(String arm) {
    return STRESS.parse(arm, ArmSettings.DEFAULT).settings();
  }

  private static void assertRefused(String message, String arm) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> STRESS.parse(arm, ArmSettings.DEFAULT))
            .getMessage());
  }
}
