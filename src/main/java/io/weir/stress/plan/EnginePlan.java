package io.weir.stress.plan;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.EngineSettings;
import io.weir.stress.setting.Preset;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One whole run on a search engine.
 *
 * @param run documents, arms, rounds and objectives; its index is the servers' data directory
 * @param shards of the index that the run makes
 */
public record EnginePlan(StressPlan run, EngineSite site, int shards) {

  /** Refuses what an engine cannot do. */
  public EnginePlan {
    for (Arm arm : run.arms()) {
      EngineSettings.check(arm.settings());
      site.api().check(arm.settings(), shards);
    }
    if (run.queries().kind() == QuerySource.Kind.HEAVIEST) {
      throw new IllegalArgumentException(
          "queries must be terms, mixed, knn, hybrid or a file for an engine: " + run.queries());
    }
    refuse(run.checkIndex(), "check-index", "an engine checks its shards itself");
    refuse(run.telemetry().metricsPort().isPresent(), "metrics-port", "the plug-in has its own");
    refuse(run.telemetry().otlpUrl().isPresent(), "otlp-url", "an engine has its own telemetry");
    refuse(
        run.telemetry().flightRecording(),
        "flight-recording",
        "jvm-args=-XX:StartFlightRecording=... records in the server");
    switch (site) {
      case EngineSite.OwnServers own -> requirePlugin(run, own);
      case EngineSite.RunningCluster running -> requireOneArm(run);
    }
  }

  /** What the indexes are like that arms start from, in the order of arms. */
  public Set<IndexLayout> layouts() {
    return run.arms().stream()
        .map(arm -> IndexLayout.ofEngine(arm.settings()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static void requirePlugin(StressPlan run, EngineSite.OwnServers own) {
    Optional<Arm> weir =
        run.arms().stream()
            .filter(arm -> arm.settings().get(ArmSetting.PRESET) == Preset.WEIR)
            .findFirst();
    if (weir.isPresent() && own.plugin().isEmpty()) {
      throw new IllegalArgumentException(
          "arm %s needs --engine-plugin, %s in target/dist"
              .formatted(weir.get().name(), own.engine().plugin()));
    }
  }

  private static void requireOneArm(StressPlan run) {
    if (run.arms().size() > 1 || run.rounds() > 1) {
      throw new IllegalArgumentException(
          "target takes 1 arm and 1 round, because its index cannot be copied: %d and %d"
              .formatted(run.arms().size(), run.rounds()));
    }
    ArmSettings arm = run.arms().getFirst().settings();
    EngineSettings.checkTarget(arm);
    refuse(run.index().isPresent(), "index", "the index of a target is in its cluster");
  }

  private static void refuse(boolean given, String option, String reason) {
    if (given) {
      throw new IllegalArgumentException(
          "--%s does not apply to an engine: %s".formatted(option, reason));
    }
  }
}
