package io.weir.cli;

import static io.weir.stress.setting.ArmKind.ENGINE;
import static io.weir.stress.setting.ArmKind.INDEX;
import static io.weir.stress.setting.ArmKind.LOAD;
import static io.weir.stress.setting.ArmKind.STRESS;
import static io.weir.stress.setting.ArmKind.TARGET;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.indexing.plan.IndexingSettings;
import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.Loads;
import io.weir.load.plan.StepRule;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmKind;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.EngineSettings;
import io.weir.stress.setting.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Which settings each kind of arm accepts: what its command or its plan says of each. */
class SettingKindsTest {

  /** Each setting with a value that is not its default, and the kinds that accept it. */
  static final List<Row> TABLE =
      List.of(
          new Row("preset=stock", STRESS, ENGINE, LOAD, INDEX),
          new Row("cap=20MB/s", STRESS, ENGINE, LOAD, INDEX),
          new Row("count-reads=on", STRESS, ENGINE, LOAD),
          new Row("hold=reopen.p99<50ms", STRESS),
          new Row("deadline=150s", STRESS),
          new Row("lucene-force-merge-cap=5MB/s", STRESS, LOAD),
          new Row("full-flush-wait=250ms", STRESS, LOAD),
          new Row("writeback=256KiB", STRESS, LOAD, INDEX),
          new Row("merge-page-cache=kernel", STRESS, LOAD, INDEX),
          new Row("small-files=4000B", STRESS, LOAD, INDEX),
          new Row("flushed-files=2MiB", STRESS, LOAD, INDEX),
          new Row("commit-sync=inline", STRESS, LOAD),
          new Row("unmap=inline", STRESS, LOAD, INDEX),
          new Row("warmer=off", STRESS, LOAD),
          new Row("readers-first=off", STRESS, LOAD, INDEX),
          new Row("idle-class=off", STRESS, LOAD),
          new Row("merge-cpu=1.5", STRESS, LOAD),
          new Row("id-postings=default", STRESS, LOAD, INDEX),
          new Row("compound=always", STRESS, ENGINE, TARGET, LOAD, INDEX),
          new Row("codec=best-compression", STRESS, LOAD, INDEX),
          new Row("vector-format=int8", STRESS, ENGINE, TARGET, LOAD, INDEX),
          new Row("directory=direct", STRESS, LOAD, INDEX),
          new Row("read-advice=by-context", STRESS, LOAD, INDEX),
          new Row("overlays=8", STRESS, LOAD, INDEX),
          new Row("cache=cold", STRESS, ENGINE, LOAD),
          new Row("merge=none", STRESS, ENGINE, TARGET, LOAD),
          new Row("merge-timeout=60s", STRESS, ENGINE, TARGET),
          new Row("mode=add", STRESS, ENGINE, TARGET, LOAD, INDEX),
          new Row("updates-per-second=7", STRESS, ENGINE, TARGET, LOAD),
          new Row("reopens-per-second=7", STRESS, ENGINE, TARGET, LOAD),
          new Row("searches-per-second=7", STRESS, ENGINE, TARGET),
          new Row("commits-per-minute=7", STRESS, ENGINE, TARGET, LOAD),
          new Row("warmup=7s", STRESS, ENGINE, TARGET),
          new Row("before=7s", STRESS, ENGINE, TARGET),
          new Row("during=7s", STRESS, ENGINE, TARGET),
          new Row("after=7s", STRESS, ENGINE, TARGET),
          new Row("lucene=10.6.0", STRESS, LOAD, INDEX),
          new Row("jvm=bin/java", STRESS, LOAD, INDEX),
          new Row("jvm-args=-Xmx2g", STRESS, ENGINE, LOAD, INDEX));

  record Row(String text, Set<ArmKind> kinds) {

    Row(String text, ArmKind kind, ArmKind... more) {
      this(text, EnumSet.of(kind, more));
    }

    String key() {
      return text.substring(0, text.indexOf('='));
    }

    boolean isFor(ArmKind kind) {
      return kinds.contains(kind);
    }

    /** An arm that sets it, with what it needs of others. */
    Arm arm() {
      return new ArmOptions.OfStress().parse("a: " + text, withItsNeeds(ArmSettings.DEFAULT));
    }

    /** Counted reads need a rate, which all have that count them. */
    ArmSettings withItsNeeds(ArmSettings base) {
      return switch (key()) {
        case "count-reads" -> base.withText(ArmSetting.CAP, "20MB/s");
        case "overlays" ->
            base.withText(ArmSetting.LUCENE, "10.6.0").withText(ArmSetting.MODE, "soft-update");
        default -> base;
      };
    }

    /** Only it, which may need others. */
    ArmSettings alone() {
      return new ArmOptions.OfStress()
          .parse(List.of("a: " + text), ArmSettings.DEFAULT, (name, settings) -> settings)
          .getFirst();
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Test
  void table_eachSetting_isInThisTestInTheSameOrder() {
    assertEquals(
        ArmSetting.all().stream().map(Setting::key).toList(),
        TABLE.stream().map(Row::key).toList());
  }

  /** A setting that means nothing anywhere would be read and do nothing. */
  @Test
  void table_eachSetting_isForTheKindsOfThisTest() {
    for (ArmKind kind : ArmKind.values()) {
      assertEquals(
          TABLE.stream().filter(row -> row.isFor(kind)).map(Row::key).toList(),
          ArmSetting.all(kind).stream().map(Setting::key).toList(),
          kind.name());
    }
    for (Setting<?> setting : ArmSetting.all()) {
      assertTrue(Stream.of(ArmKind.values()).anyMatch(setting::isFor), setting.key());
    }
  }

  /** The page of {@code weir index} names them in a sentence. */
  @Test
  void page_ofIndexing_namesEachSettingOfItsArms() throws Exception {
    String page = Files.readString(Path.of("docs/INDEXING-RATE.md"));
    Matcher sentence =
        Pattern.compile("An arm takes those settings of .* here: (.*)\\. `weir").matcher(page);

    assertTrue(sentence.find());
    assertEquals(
        ArmSetting.all(INDEX).stream().map(Setting::key).toList(),
        Pattern.compile("`([a-z-]+)`")
            .matcher(sentence.group(1))
            .results()
            .map(key -> key.group(1))
            .toList());
  }

  @ParameterizedTest
  @FieldSource("TABLE")
  void stress_eachSetting_isAccepted(Row row) {
    assertTrue(row.isFor(STRESS));
    assertDoesNotThrow(row::arm);
  }

  @ParameterizedTest
  @FieldSource("TABLE")
  void engine_whatItDecidesItself_isRefused(Row row) {
    assertAccepted(
        row.isFor(ENGINE),
        row.key() + " is not for an engine, because an engine decides on that itself: " + row.text,
        () -> EngineSettings.check(row.alone()));
  }

  @ParameterizedTest
  @FieldSource("TABLE")
  void target_whatNeedsAServerOfOnesOwn_isRefused(Row row) {
    assertAccepted(
        row.isFor(TARGET) || !row.isFor(ENGINE), // those are refused before
        row.key()
            + " is not for an engine, because the cluster of --target runs already: "
            + row.text,
        () -> EngineSettings.checkTarget(row.alone()));
    assertTrue(row.isFor(ENGINE) || !row.isFor(TARGET));
  }

  @ParameterizedTest
  @FieldSource("TABLE")
  void described_ofAnEngine_isWhatItAccepts(Row row) {
    ArmSettings arm = row.alone().withText(ArmSetting.MERGE, "none"); // it then has a middle phase
    boolean applies = arm.describe().containsKey(row.key());

    assertEquals(
        applies && row.isFor(ENGINE), EngineSettings.describe(arm, false).containsKey(row.key()));
    assertEquals(
        applies && row.isFor(TARGET), EngineSettings.describe(arm, true).containsKey(row.key()));
  }

  @ParameterizedTest
  @FieldSource("TABLE")
  void load_whatItHasInAnotherWay_isRefused(Row row) {
    assertAccepted(
        row.isFor(LOAD),
        row.key() + " is a setting of weir stress that weir load does not have: arm a",
        () -> load(row.arm()));
  }

  /** What others have by default is no wish. */
  @ParameterizedTest
  @FieldSource("TABLE")
  void load_anyDefaultThatIsSet_isAccepted(Row row) {
    Setting<?> setting = ArmSetting.find(row.key()).orElseThrow();
    ArmSettings arm =
        setting
            .defaultText(ArmSettings.DEFAULT)
            .map(text -> ArmSettings.DEFAULT.withText(setting, text))
            .orElse(ArmSettings.DEFAULT);

    assertDoesNotThrow(() -> load(new Arm("a", arm)));
  }

  @ParameterizedTest
  @FieldSource("TABLE")
  void index_whatMeansNothingThere_isUnknown(Row row) {
    assertAccepted(
        row.isFor(INDEX),
        "--arm has no setting '" + row.key() + "' in 'a: " + row.text + "'",
        () ->
            new ArmOptions.OfIndex()
                .parse("a: " + row.text, row.withItsNeeds(IndexingSettings.DEFAULT)));
  }

  @Test
  void options_ofEachCommand_areThoseThatAllArmsShare() {
    List<String> all =
        List.of(
            "--cache",
            "--merge",
            "--merge-timeout",
            "--mode",
            "--updates-per-second",
            "--reopens-per-second",
            "--searches-per-second",
            "--commits-per-minute",
            "--warmup",
            "--before",
            "--during",
            "--after");

    assertEquals(all, shared(new StressCommand()));
    assertEquals(all, shared(new SweepCommand()));
    assertEquals(
        List.of(
            "--cache",
            "--merge",
            "--mode",
            "--updates-per-second",
            "--reopens-per-second",
            "--commits-per-minute"),
        shared(new LoadCommand()));
  }

  private static List<String> shared(Object command) {
    return new CommandLine(command)
        .getCommandSpec().argGroups().stream()
            .filter(group -> group.heading().contains("for every arm"))
            .flatMap(group -> group.args().stream())
            .map((ArgSpec option) -> ((OptionSpec) option).longestName())
            .toList();
  }

  private static void assertAccepted(boolean accepted, String refusal, Executable use) {
    if (accepted) {
      assertDoesNotThrow(use);
    } else {
      String message = assertThrows(IllegalArgumentException.class, use).getMessage();
      assertTrue(message.startsWith(refusal), message);
    }
  }

  private static LoadPlan load(Arm arm) {
    StressPlan run =
        new StressPlan(
            new Documents("synthetic:10", 1, 0).withVectors("8"),
            QuerySource.TERMS,
            Optional.empty(),
            Path.of("out"),
            List.of(arm),
            1,
            Duration.ofMillis(50),
            false,
            false,
            new Telemetry(Optional.empty(), Optional.empty(), false),
            List.of());
    return new LoadPlan(
        run,
        Loads.parse("auto"),
        Duration.ofSeconds(10),
        Duration.ZERO,
        new StepRule(Duration.ofSeconds(1)),
        OptionalInt.empty(),
        Optional.empty());
  }
}
