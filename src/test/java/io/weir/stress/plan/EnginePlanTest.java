package io.weir.stress.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.Preset;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class EnginePlanTest {

  private static final Arm STOCK =
      new Arm("stock", ArmSettings.DEFAULT.with(ArmSetting.PRESET, Preset.STOCK));
  private static final EngineSite SERVERS =
      new EngineSite.OwnServers(Engine.OPENSEARCH, Path.of("home"), Optional.empty());
  private static final EngineSite CLUSTER =
      new EngineSite.RunningCluster(
          URI.create("http://localhost:9200"), Optional.empty(), "weir-stress");

  @Test
  void plan_armsThatStartFromDifferentIndexes_areRefused() {
    Arm compound =
        new Arm("compound", STOCK.settings().with(ArmSetting.COMPOUND, CompoundFiles.ALWAYS));

    assertRefused(
        "compound must be the same for all arms, because they start from one index",
        () -> new EnginePlan(run(List.of(STOCK, compound), false), SERVERS, 1));
  }

  @Test
  void plan_whatOnlyLuceneCanDo_isRefusedByName() {
    assertRefused(
        "--check-index does not apply to an engine: an engine checks its shards itself",
        () -> new EnginePlan(run(List.of(STOCK), true), SERVERS, 1));
    assertRefused(
        "shards must be from 1 to 100: 0",
        () -> new EnginePlan(run(List.of(STOCK), false), SERVERS, 0));
  }

  @Test
  void plan_aPresetForAClusterThatRuns_isRefused() {
    assertRefused(
        "preset is not for an engine, because the cluster of --target runs already: preset=stock",
        () -> new EnginePlan(run(List.of(STOCK), false), CLUSTER, 1));
  }

  @Test
  void cluster_aNameThatNoIndexCanHave_isRefused() {
    assertRefused(
        "target-index must be from 1 to 100 of a-z, 0-9, _, . and -: '_all'",
        () -> EngineSite.RunningCluster.at(URI.create("http://localhost:9200"), "_all", Map.of()));
  }

  private static StressPlan run(List<Arm> arms, boolean check) {
    return new StressPlan(
        new Documents("synthetic", 1, 0),
        QuerySource.TERMS,
        Optional.empty(),
        Path.of("out"),
        arms,
        1,
        Duration.ofMillis(50),
        check,
        false,
        Telemetry.NONE,
        List.of());
  }

  private static void assertRefused(String message, Executable plan) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, plan).getMessage());
  }
}
