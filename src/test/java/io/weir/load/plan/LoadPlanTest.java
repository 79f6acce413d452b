package io.weir.load.plan;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.LoadRate;
import io.weir.stress.setting.MergeWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LoadPlanTest {

  private static final Optional<TargetUrl> TARGET =
      Optional.of(TargetUrl.parse("http://127.0.0.1:9200/a/_search"));
  private static final ArmSettings FORCED =
      LoadPlan.ARM_DEFAULTS.with(ArmSetting.MERGE, MergeWorkload.FORCED);

  private static LoadPlan plan(
      ArmSettings settings, Optional<Path> index, Optional<TargetUrl> target) {
    return new LoadPlan(
        run(settings, index),
        Loads.parse("auto"),
        Duration.ofSeconds(10),
        Duration.ZERO,
        new StepRule(Duration.ofSeconds(1)),
        OptionalInt.empty(),
        target);
  }

  private static LoadPlan plan(String loads, Duration step) {
    return new LoadPlan(
        run(LoadPlan.ARM_DEFAULTS, Optional.empty()),
        Loads.parse(loads),
        step,
        Duration.ZERO,
        new StepRule(Duration.ofSeconds(1)),
        OptionalInt.empty(),
        Optional.empty());
  }

  private static StressPlan run(ArmSettings settings, Optional<Path> index) {
    return new StressPlan(
        new Documents("synthetic:10", 1, 0),
        QuerySource.TERMS,
        index,
        Path.of("out"),
        List.of(new Arm("a", settings)),
        1,
        Duration.ofMillis(50),
        false,
        false,
        new Telemetry(Optional.empty(), Optional.empty(), false),
        List.of());
  }

  private static String refusal(ArmSettings settings, Optional<Path> index) {
    return assertThrows(IllegalArgumentException.class, () -> plan(settings, index, TARGET))
        .getMessage();
  }

  @Test
  void target_withWhatIsForOurServer_isRefused() {
    assertEquals(
        "settings of an arm apply only to a server that Weir starts, not to --target: merge=forced",
        refusal(FORCED, Optional.empty()));
    assertTrue(
        refusal(
                LoadPlan.ARM_DEFAULTS.withText(ArmSetting.UPDATES_PER_SECOND, "500"),
                Optional.empty())
            .endsWith("--target: updates-per-second=500"));
    assertEquals(
        "index applies only to a server that Weir starts, not to --target: kept",
        refusal(LoadPlan.ARM_DEFAULTS, Optional.of(Path.of("kept"))));
  }

  @Test
  void settings_ofATarget_areNone() {
    LoadPlan target = plan(LoadPlan.ARM_DEFAULTS, Optional.empty(), TARGET);
    LoadPlan own = plan(LoadPlan.ARM_DEFAULTS, Optional.empty(), Optional.empty());

    assertEquals(Map.of(), target.settings(target.run().arms().getFirst()));
    assertEquals("none", own.settings(own.run().arms().getFirst()).get("merge"));
  }

  @Test
  void forcedMerges_withoutUpdates_areRefused() {
    ArmSettings quiet = FORCED.with(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);

    assertThrows(
        IllegalArgumentException.class, () -> plan(quiet, Optional.empty(), Optional.empty()));
    assertDoesNotThrow(() -> plan(FORCED, Optional.empty(), Optional.empty()));
  }

  /** With none, a step would say nothing; with too many, the client would not hold them. */
  @Test
  void load_withTooFewOrTooManyRequestsInAStep_isRefused() {
    assertDoesNotThrow(() -> plan("1,100000", Duration.ofSeconds(10)));
    for (String few : List.of("0.5,10", "auto:0.5")) {
      assertThrows(IllegalArgumentException.class, () -> plan(few, Duration.ofSeconds(10)));
    }
    for (String many : List.of("10,50000", "auto:50000")) {
      assertThrows(IllegalArgumentException.class, () -> plan(many, Duration.ofMinutes(1)));
    }
  }
}
