package io.weir.stress.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.Rate;
import io.weir.run.RunJson;
import io.weir.store.MergePageCache;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArmSettingsTest {

  private static final ArmSettings WEIR = ArmSettings.DEFAULT;
  private static final ArmSettings STOCK = WEIR.with(ArmSetting.PRESET, Preset.STOCK);

  @Test
  void describe_nothingSet_isTheDefaultsInTheOrderOfTheTable() {
    assertEquals(
        "preset=weir, cap=off, count-reads=off, full-flush-wait=0s, writeback=1MiB, merge-page-cache=neutral,"
            + " small-files=64KiB, flushed-files=1MiB, commit-sync=deferred, unmap=deferred, warmer=on, readers-first=on, idle-class=off, merge-cpu=off,"
            + " id-postings=resident, compound=default, codec=default, directory=mmap, read-advice=default, cache=as-is,"
            + " merge=forced, mode=update, updates-per-second=50, reopens-per-second=4, searches-per-second=20,"
            + " commits-per-minute=0, warmup=5s, before=10s, after=10s",
        text(WEIR));
  }

  /** Nothing of ours is in its write path. */
  @Test
  void describe_stock_hasTheDefaultsOfLucene() {
    assertEquals(
        "preset=stock, writeback=off, merge-page-cache=kernel, small-files=off, flushed-files=off, commit-sync=inline, unmap=inline,"
            + " warmer=off, readers-first=off, idle-class=off, id-postings=default, compound=default,"
            + " codec=default, directory=mmap, read-advice=default, cache=as-is, merge=forced, mode=update, updates-per-second=50,"
            + " reopens-per-second=4, searches-per-second=20, commits-per-minute=0, warmup=5s,"
            + " before=10s, after=10s",
        text(STOCK));
  }

  /** To see what one of them does alone. */
  @Test
  void get_stockWithOneCure_hasThatOne() {
    ArmSettings smoothed = STOCK.with(ArmSetting.WRITEBACK, OptionalLong.of(4 << 20)).check();

    assertEquals(OptionalLong.of(4 << 20), smoothed.get(ArmSetting.WRITEBACK));
    assertEquals(OptionalLong.empty(), smoothed.get(ArmSetting.SMALL_FILES));
    assertEquals(MergePageCache.KERNEL, smoothed.get(ArmSetting.MERGE_PAGE_CACHE));
    assertEquals(Unmapping.INLINE, smoothed.get(ArmSetting.UNMAP));
  }

  /** What is for mapped files or a disk is off by itself where there are none. */
  @Test
  void get_otherDirectories_haveNothingThatDoesNothingThere() {
    ArmSettings nio = WEIR.with(ArmSetting.DIRECTORY, DirectoryKind.NIO).check();
    ArmSettings heap = WEIR.with(ArmSetting.DIRECTORY, DirectoryKind.HEAP).check();

    assertEquals(OptionalLong.empty(), nio.get(ArmSetting.SMALL_FILES));
    assertEquals(OptionalLong.of(1 << 20), nio.get(ArmSetting.WRITEBACK));
    assertEquals(OptionalLong.empty(), heap.get(ArmSetting.SMALL_FILES));
    assertEquals(OptionalLong.empty(), heap.get(ArmSetting.WRITEBACK));
    assertEquals(false, heap.get(ArmSetting.READERS_FIRST));
    assertEquals(IdPostings.RESIDENT, heap.get(ArmSetting.ID_POSTINGS));
  }

  @Test
  void with_aValue_leavesTheOriginalAsItWas() {
    ArmSettings changed = WEIR.with(ArmSetting.WARMER, false);

    assertEquals(true, WEIR.get(ArmSetting.WARMER));
    assertEquals(false, changed.get(ArmSetting.WARMER));
    assertNotEquals(WEIR, changed);
    assertEquals(WEIR, changed.with(ArmSetting.WARMER, true));
  }

  @Test
  void mergeCap_isTheLowerOfBothAndOfThePreset() {
    ArmSettings capped = WEIR.with(ArmSetting.CAP, Rate.perSecond(20));

    assertEquals(Rate.UNLIMITED, WEIR.mergeCap());
    assertEquals(Rate.UNLIMITED, STOCK.mergeCap());
    assertEquals(Rate.perSecond(20), capped.mergeCap());
    assertEquals(
        Rate.perSecond(10),
        capped.with(ArmSetting.LUCENE_FORCE_MERGE_CAP, Rate.perSecond(10)).mergeCap());
    assertSame(ArmSetting.CAP, WEIR.capSetting());
    assertSame(ArmSetting.LUCENE_FORCE_MERGE_CAP, STOCK.capSetting());
  }

  @ParameterizedTest
  @MethodSource
  <T> void with_aValueThatNoArmCanHave_isRefused(Setting<T> setting, T value, String message) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> WEIR.with(setting, value)).getMessage());
  }

  static Stream<Arguments> with_aValueThatNoArmCanHave_isRefused() {
    String writeback = "writeback must be off or a multiple of 64KiB, from 64KiB to 1024MiB: ";
    String updates = "updates-per-second must be " + rate("100000 per second");
    String commits = "commits-per-minute must be " + rate("6000 per minute");
    return Stream.of(
        Arguments.of(ArmSetting.UPDATES_PER_SECOND, LoadRate.steady(-1.0), updates + "-1"),
        Arguments.of(ArmSetting.UPDATES_PER_SECOND, LoadRate.steady(Double.NaN), updates + "NaN"),
        Arguments.of(
            ArmSetting.UPDATES_PER_SECOND,
            LoadRate.steady(Double.POSITIVE_INFINITY),
            updates + "Infinity"),
        Arguments.of(
            ArmSetting.REOPENS_PER_SECOND,
            LoadRate.steady(-1.0),
            "reopens-per-second must be " + rate("100000 per second") + "-1"),
        Arguments.of(
            ArmSetting.SEARCHES_PER_SECOND,
            LoadRate.steady(100_001.0),
            "searches-per-second must be " + rate("100000 per second") + "100001"),
        Arguments.of(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(6000.5), commits + "6000.5"),
        Arguments.of(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(Double.NaN), commits + "NaN"),
        Arguments.of(
            ArmSetting.WARMUP, Duration.ofMillis(-1), "warmup must be from 0 s to 24 h: -0.001 s"),
        Arguments.of(
            ArmSetting.FULL_FLUSH_WAIT,
            Optional.of(Duration.ofMillis(-1)),
            "full-flush-wait must be from 0 s to 24 h: -0.001 s"),
        Arguments.of(
            ArmSetting.DEADLINE,
            Optional.of(Duration.ZERO),
            "deadline must be from 1 s to 24 h: 0 s"),
        Arguments.of(
            ArmSetting.BEFORE, Duration.ofHours(25), "before must be from 0 s to 24 h: 90000 s"),
        Arguments.of(
            ArmSetting.DURING,
            Duration.ofHours(24).plusMillis(1),
            "during must be from 0 s to 24 h: 86400.001 s"),
        Arguments.of(
            ArmSetting.AFTER, Duration.ofDays(9), "after must be from 0 s to 24 h: 777600 s"),
        Arguments.of(ArmSetting.WRITEBACK, OptionalLong.of(96 << 10), writeback + "96KiB"),
        Arguments.of(ArmSetting.WRITEBACK, OptionalLong.of(1000), writeback + "1000B"),
        Arguments.of(ArmSetting.WRITEBACK, OptionalLong.of(2L << 30), writeback + "2048MiB"),
        Arguments.of(ArmSetting.WRITEBACK, OptionalLong.of(-65536), writeback + "-64KiB"),
        Arguments.of(
            ArmSetting.SMALL_FILES,
            OptionalLong.of((1 << 20) + 1),
            "small-files must be off or from 1B to 1MiB: 1048577B"),
        Arguments.of(
            ArmSetting.SMALL_FILES,
            OptionalLong.of(-1),
            "small-files must be off or from 1B to 1MiB: -1B"));
  }

  private static String rate(String most) {
    return "a number from 0 to " + most + ", or levels in turn such as 5,60/20s: ";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "5,many/20s; must be a number from 0 to 100000 per second, or levels in turn such as 5,60/20s",
        "5,,60/20s; must be a number from 0 to 100000 per second, or levels in turn such as 5,60/20s",
        "5,-1/20s; must be a number from 0 to 100000 per second, or levels in turn such as 5,60/20s",
        "5,100001/20s; must be a number from 0 to 100000 per second, or levels in turn such as 5,60/20s",
        "5,NaN/20s; must be a number from 0 to 100000 per second, or levels in turn such as 5,60/20s",
        "5,60; must be a number alone, or levels and how long each is held, such as 5,60/20s",
        "5/20s; must be a number alone, or levels and how long each is held, such as 5,60/20s",
        "5,60/0s; must hold each level from 1 ms to 24 h",
        "5,60/90000s; must hold each level from 1 ms to 24 h",
        "0,0/20s; must have a level above 0",
      })
  void withText_levelsThatCannotBe_areRefusedWithTheRule(String text, String rule) {
    for (Setting<LoadRate> setting :
        List.of(
            ArmSetting.UPDATES_PER_SECOND,
            ArmSetting.REOPENS_PER_SECOND,
            ArmSetting.SEARCHES_PER_SECOND)) {
      assertEquals(
          "%s %s: %s".formatted(setting, rule, text),
          assertThrows(IllegalArgumentException.class, () -> WEIR.withText(setting, text))
              .getMessage());
    }
  }

  @Test
  void withText_levelsHeldForNoDuration_areRefusedWithWhatWasGiven() {
    assertEquals(
        "commits-per-minute: each level must be a duration such as 10s, 500ms or 2m: 20",
        assertThrows(
                IllegalArgumentException.class,
                () -> WEIR.withText(ArmSetting.COMMITS_PER_MINUTE, "5,60/20"))
            .getMessage());
  }

  @Test
  void withText_moreLevelsThanAHundred_areRefused() {
    String hundred = "1" + ",2".repeat(99);
    assertEquals(
        100,
        WEIR.withText(ArmSetting.UPDATES_PER_SECOND, hundred + "/1s")
            .get(ArmSetting.UPDATES_PER_SECOND)
            .levels()
            .size());
    assertEquals(
        "updates-per-second must have at most 100 levels: " + hundred + ",3/1s",
        assertThrows(
                IllegalArgumentException.class,
                () -> WEIR.withText(ArmSetting.UPDATES_PER_SECOND, hundred + ",3/1s"))
            .getMessage());
  }

  @Test
  void withText_levelsInTurn_areReadAsWritten() {
    LoadRate rate =
        WEIR.withText(ArmSetting.SEARCHES_PER_SECOND, " 5, 60 /1.5m")
            .get(ArmSetting.SEARCHES_PER_SECOND);

    assertEquals(new LoadRate(List.of(5.0, 60.0), Optional.of(Duration.ofSeconds(90))), rate);
    assertEquals(Optional.of("5,60/90s"), ArmSetting.SEARCHES_PER_SECOND.print(rate));
    assertEquals(32.5, rate.mean());
  }

  @ParameterizedTest
  @MethodSource
  void check_settingsThatContradictEachOther_areRefusedWithTheReason(
      ArmSettings settings, String message) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, settings::check).getMessage());
  }

  static Stream<Arguments> check_settingsThatContradictEachOther_areRefusedWithTheReason() {
    ArmSettings heap = WEIR.with(ArmSetting.DIRECTORY, DirectoryKind.HEAP);
    return Stream.of(
        Arguments.of(
            STOCK.with(ArmSetting.CAP, Rate.UNLIMITED),
            "cap needs preset=weir, because preset=stock has nothing that could cap: cap=off"),
        Arguments.of(
            STOCK.with(ArmSetting.COUNT_READS, true),
            "count-reads needs preset=weir, because preset=stock has nothing that could count:"
                + " count-reads=on"),
        Arguments.of(
            heap.with(ArmSetting.COUNT_READS, true),
            "count-reads needs a directory on a disk, because with directory=heap nothing is read"
                + " from one: count-reads=on"),
        Arguments.of(
            WEIR.with(ArmSetting.COUNT_READS, true),
            "count-reads needs cap, hold or deadline, because without a rate nothing is held:"
                + " count-reads=on"),
        Arguments.of(
            STOCK.withText(ArmSetting.HOLD, "reopen.p99<50ms"),
            "hold needs preset=weir, because preset=stock has no rate to set: hold=reopen.p99<50ms"),
        Arguments.of(
            WEIR.withText(ArmSetting.HOLD, "search.p99.9<1s")
                .with(ArmSetting.SEARCHES_PER_SECOND, LoadRate.NONE),
            "hold needs searches-per-second, because without searches there is no latency to hold:"
                + " hold=search.p99.9<1s"),
        Arguments.of(
            STOCK.withText(ArmSetting.DEADLINE, "60s"),
            "deadline needs preset=weir, because preset=stock has no rate to set: deadline=60s"),
        Arguments.of(
            WEIR.withText(ArmSetting.DEADLINE, "60s").withText(ArmSetting.MERGE, "natural"),
            "deadline needs merge=forced, because other merges have no end to plan for:"
                + " deadline=60s"),
        Arguments.of(
            STOCK.with(ArmSetting.READERS_FIRST, true),
            "readers-first needs preset=weir, because Lucene's merge scheduler never pauses for"
                + " readers: readers-first=on"),
        Arguments.of(
            STOCK.withText(ArmSetting.MERGE_CPU, "1.5"),
            "merge-cpu needs preset=weir, because Lucene's merge scheduler does not count processor"
                + " time: merge-cpu=1.5"),
        Arguments.of(
            STOCK.with(ArmSetting.IDLE_CLASS, true),
            "idle-class needs preset=weir, because Lucene's merge scheduler does not say when a"
                + " merge computes: idle-class=on"),
        Arguments.of(
            heap.with(ArmSetting.WRITEBACK, OptionalLong.of(1 << 20)),
            "writeback needs a directory on a disk, because with directory=heap nothing is written"
                + " to one: writeback=1MiB"),
        Arguments.of(
            heap.with(ArmSetting.READERS_FIRST, true),
            "readers-first needs a directory on a disk, because with directory=heap no reader waits"
                + " for one: readers-first=on"),
        Arguments.of(
            WEIR.with(ArmSetting.WRITEBACK, OptionalLong.empty())
                .with(ArmSetting.MERGE_PAGE_CACHE, MergePageCache.NEUTRAL),
            "merge-page-cache needs writeback, because a page that is not on the disk yet cannot be"
                + " dropped: merge-page-cache=neutral"),
        Arguments.of(
            heap.with(ArmSetting.READ_ADVICE, MappingAdvice.BY_CONTEXT),
            "read-advice needs directory=mmap or directory=direct, because no other directory maps"
                + " files: read-advice=by-context"),
        Arguments.of(
            heap.with(ArmSetting.SMALL_FILES, OptionalLong.of(64 << 10)),
            "small-files needs directory=mmap, because no other directory maps files:"
                + " small-files=64KiB"));
  }

  @Test
  void hold_ofAnUnknownLatency_orWithoutALimit_isRefused() {
    for (String wrong :
        List.of("commit.p99<50ms", "reopen<50ms", "reopen.p99", "reopen.p99>50ms")) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> WEIR.withText(ArmSetting.HOLD, wrong));
      assertEquals(
          "hold must be a percentile and a limit of reopen or search, such as reopen.p99<50ms: "
              + wrong,
          refused.getMessage());
    }
  }

  @Test
  void table_eachRow_canBeReadByPeopleAndIsThereOnce() {
    Set<String> keys = new HashSet<>();
    for (Setting<?> setting : ArmSetting.all()) {
      assertTrue(setting.key().matches("[a-z]+(-[a-z]+)*"), setting.key());
      assertTrue(keys.add(setting.key()), setting.key());
      assertTrue(setting.help().matches("[A-Z].*\\."), setting.help());
      assertEquals(Optional.of(setting), ArmSetting.find(setting.key()));
    }
  }

  /** What run.json says of an arm can be given to an arm again, and is what a worker gets. */
  @ParameterizedTest
  @MethodSource
  void of_whatDescribeSays_isTheSame(Map<String, String> texts) throws Exception {
    ArmSettings settings = ArmSettings.of(texts);

    assertEquals(settings, ArmSettings.of(settings.describe()));
    assertEquals(settings, RunJson.ofLine(RunJson.line(settings), ArmSettings.class));
    assertTrue(settings.describe().entrySet().containsAll(texts.entrySet()), settings.toString());
  }

  static Stream<Map<String, String>> of_whatDescribeSays_isTheSame() {
    return Stream.of(
        Map.of(),
        Map.of("cap", "1536MB/s", "count-reads", "on", "jvm-args", "-Xlog:gc,safepoint -Xmx2g"),
        Map.of("preset", "stock", "lucene-force-merge-cap", "3MB/s", "full-flush-wait", "250ms"),
        Map.of("merge", "none", "during", "2500ms", "mode", "add", "commits-per-minute", "0.5"),
        Map.of("preset", "stock", "writeback", "192KiB", "unmap", "deferred", "warmer", "on"),
        Map.of("writeback", "off", "small-files", "12345B", "jvm", "/opt/a jdk/bin/java"),
        Map.of("directory", "direct", "read-advice", "by-context"),
        Map.of(
            "directory", "heap", "commit-sync", "inline", "cache", "warm", "readers-first", "off"),
        Map.of("searches-per-second", "5,60/20s", "updates-per-second", "0,0.5,1000/1500ms"),
        Map.of("commits-per-minute", "0,6/1ms", "reopens-per-second", "1,4/86400s"),
        Map.of("after", "86400s", "warmup", "0s", "reopens-per-second", "0.25"));
  }

  @Test
  void of_aKeyThatIsNone_isRefused() {
    assertEquals(
        "there is no setting capp",
        assertThrows(IllegalArgumentException.class, () -> ArmSettings.of(Map.of("capp", "off")))
            .getMessage());
  }

  @Test
  void parse_jvmArguments_areWords() {
    assertEquals(List.of("-Xa", "-Xb"), ArmSetting.JVM_ARGS.parse(" -Xa  -Xb"));
    assertEquals(List.of(), ArmSetting.JVM_ARGS.parse(" "));
  }

  private static String text(ArmSettings settings) {
    return settings.describe().entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue())
        .collect(Collectors.joining(", "));
  }
}
