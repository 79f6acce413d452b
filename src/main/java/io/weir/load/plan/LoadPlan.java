package io.weir.load.plan;

import io.weir.stress.plan.Arm;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Setting;
import java.time.Duration;
import java.util.List;
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
  private static final double MOST_REQUESTS = 10_000_000;

  /** What an arm here has in another way, or not at all. */
  private static final List<Setting<?>> OF_OTHERS =
      List.of(
          ArmSetting.SEARCHES_PER_SECOND,
          ArmSetting.WARMUP,
          ArmSetting.BEFORE,
          ArmSetting.DURING,
          ArmSetting.AFTER,
          ArmSetting.HOLD,
          ArmSetting.DEADLINE);

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
    if (loads instanceof Loads.Listed listed
        && listed.perSecond().getLast() * step.toMillis() / 1e3 > MOST_REQUESTS) {
      throw new IllegalArgumentException(
          "a step must have at most %.0f requests: load %s for %d ms"
              .formatted(MOST_REQUESTS, listed.perSecond().getLast(), step.toMillis()));
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
              OF_OTHERS.forEach(setting -> requireDefault(arm, setting));
              if (arm.settings().get(ArmSetting.MERGE) == MergeWorkload.NATURAL) {
                throw new IllegalArgumentException(
                    "merge must be none or forced for weir load: natural in arm " + arm.name());
              }
            });
    if (target.isPresent()) {
      requireTarget(run, serverThreads);
    }
  }

  private static <T> void requireDefault(Arm arm, Setting<T> setting) {
    if (!arm.settings().get(setting).equals(ArmSettings.DEFAULT.get(setting))) {
      throw new IllegalArgumentException(
          "%s is for weir stress, and weir load has none: arm %s".formatted(setting, arm.name()));
    }
  }

  private static void requireTarget(StressPlan run, OptionalInt serverThreads) {
    if (run.arms().size() != 1) {
      throw new IllegalArgumentException(
          "a run with --target must have 1 arm, because the service is as it is: "
              + run.arms().size());
    }
    if (serverThreads.isPresent()) {
      throw new IllegalArgumentException("server-threads are for our own server, not for --target");
    }
    if (run.queries().kind() == QuerySource.Kind.HEAVIEST) {
      throw new IllegalArgumentException(
          "queries must be terms, mixed or a file for --target: " + run.queries());
    }
  }
}
