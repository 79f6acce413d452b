package io.weir.load.plan;

import io.weir.stress.plan.Arm;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmKind;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Setting;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One whole run of {@code weir load}.
 *
 * @param run documents, queries, arms, rounds and directories
 * @param loads which are tried
 * @param step how long each lasts
 * @param warmUp how long requests are sent before that count in no figure, four at a time
 * @param rule what is too much
 * @param serverThreads how many the server has; empty for a virtual one for each request
 * @param target a service of the user's own; empty for ours
 */
public record LoadPlan(
    StressPlan run,
    Loads loads,
    Duration step,
    Duration warmUp,
    StepRule rule,
    OptionalInt serverThreads,
    Optional<TargetUrl> target) {

  private static final int MOST_THREADS = 10_000;
  private static final Duration LEAST_STEP = Duration.ofMillis(500);
  private static final Duration MOST_STEP = Duration.ofHours(1);

  /** What an arm does that does not say otherwise. */
  public static final ArmSettings ARM_DEFAULTS =
      ArmSettings.DEFAULT.with(ArmSetting.MERGE, MergeWorkload.NONE);

  /** Refuses what cannot be run. */
  public LoadPlan {
    if (step.compareTo(LEAST_STEP) < 0 || step.compareTo(MOST_STEP) > 0) {
      throw new IllegalArgumentException(
          "step must be from 500 ms to 1 h: " + step.toMillis() + " ms");
    }
    if (warmUp.isNegative() || warmUp.compareTo(MOST_STEP) > 0) {
      throw new IllegalArgumentException(
          "warmup must be from 0 s to 1 h: " + warmUp.toMillis() + " ms");
    }
    for (double load : loads.named()) {
      if (load < Loads.least(step) || load > Loads.most(step)) {
        throw new IllegalArgumentException(
            "a step must have from %d to %d requests: load %s for %d ms"
                .formatted(Loads.LEAST_REQUESTS, Loads.MOST_REQUESTS, load, step.toMillis()));
      }
    }
    if (serverThreads.isPresent()
        && (serverThreads.getAsInt() < 1 || serverThreads.getAsInt() > MOST_THREADS)) {
      throw new IllegalArgumentException(
          "server-threads must be from 1 to %d: %d"
              .formatted(MOST_THREADS, serverThreads.getAsInt()));
    }
    run.arms()
        .forEach(
            arm -> {
              ArmSetting.all().forEach(setting -> requireLoad(arm, setting));
              requireMerge(arm);
            });
    if (target.isPresent()) {
      requireTarget(run, serverThreads, target.get());
    }
  }

  /** What an arm does, for the record; a service of the user's own does what it does. */
  public Map<String, String> settings(Arm arm) {
    return target.isPresent() ? Map.of() : arm.settings().describe();
  }

  /** Refuses what an arm here has in another way, or not at all. */
  private static <T> void requireLoad(Arm arm, Setting<T> setting) {
    if (!setting.isFor(ArmKind.LOAD)
        && !arm.settings().get(setting).equals(ArmSettings.DEFAULT.get(setting))) {
      throw new IllegalArgumentException(
          "%s is a setting of weir stress that weir load does not have: arm %s"
              .formatted(setting, arm.name()));
    }
  }

  private static void requireMerge(Arm arm) {
    MergeWorkload merge = arm.settings().get(ArmSetting.MERGE);
    if (merge == MergeWorkload.NATURAL) {
      throw new IllegalArgumentException(
          "merge must be none or forced for weir load: natural in arm " + arm.name());
    }
    if (merge == MergeWorkload.FORCED
        && !arm.settings().get(ArmSetting.UPDATES_PER_SECOND).isAny()) {
      throw new IllegalArgumentException(
          "merge=forced needs updates-per-second above 0, because without updates only the first"
              + " load has a merge: arm "
              + arm.name());
    }
  }

  private static void requireTarget(StressPlan run, OptionalInt serverThreads, TargetUrl target) {
    if (run.arms().size() != 1) {
      throw new IllegalArgumentException(
          "a run with --target must have 1 arm, because arms cannot change the service: "
              + run.arms().size());
    }
    Map<String, String> ours = new LinkedHashMap<>(run.arms().getFirst().settings().describe());
    ours.entrySet().removeAll(ARM_DEFAULTS.describe().entrySet());
    if (!ours.isEmpty()) {
      throw new IllegalArgumentException(
          "settings of an arm apply only to a server that Weir starts, not to --target: "
              + String.join(", ", ours.entrySet().stream().map(Object::toString).toList()));
    }
    if (run.documents().vectors().isPresent() && target.index(Optional.empty()).isEmpty()) {
      throw new IllegalArgumentException(
          "vectors need a --target that ends with /INDEX/_search or /COLLECTION/select, because"
              + " their queries go as bodies to an engine: "
              + target.template());
    }
    if (run.index().isPresent()) {
      throw new IllegalArgumentException(
          "index applies only to a server that Weir starts, not to --target: " + run.index().get());
    }
    if (serverThreads.isPresent()) {
      throw new IllegalArgumentException(
          "server-threads applies only to a server that Weir starts, not to --target");
    }
    if (run.queries().kind() == QuerySource.Kind.HEAVIEST) {
      throw new IllegalArgumentException(
          "queries must be terms, mixed or a file for --target: " + run.queries());
    }
  }
}
