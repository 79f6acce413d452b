package io.weir.report.words;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What is to be known of an arm's figures.
 *
 * @param who the arm and the round; of a sweep, whose arms are many and alike, only the first of
 *     those with the same cause, and how many more there are
 */
public record ArmAlert(String who, RunWarning warning) {

  /** What was noisy. */
  public static List<ArmAlert> noise(RunResult run) {
    return of(run, arm -> arm.noise() == null ? null : arm.noise().findings());
  }

  /** What an arm warned of. */
  public static List<ArmAlert> warnings(RunResult run) {
    return of(run, ArmResult::warnings);
  }

  private static List<ArmAlert> of(
      RunResult run, Function<ArmResult, List<RunWarning>> warningsOf) {
    Map<Object, List<ArmAlert>> alike = new LinkedHashMap<>();
    for (ArmResult arm : run.arms()) {
      List<RunWarning> warnings = warningsOf.apply(arm);
      for (RunWarning warning : warnings == null ? List.<RunWarning>of() : warnings) {
        List<String> cause = List.of("" + warning.cause(), "" + warning.remedy());
        alike
            .computeIfAbsent(run.sweep() == null ? alike.size() : cause, key -> new ArrayList<>())
            .add(new ArmAlert("%s, round %d".formatted(arm.name(), arm.round()), warning));
      }
    }
    return alike.values().stream()
        .map(
            alerts ->
                new ArmAlert(
                    alerts.get(0).who()
                        + (alerts.size() == 1
                            ? ""
                            : " (and %s alike)"
                                .formatted(Figures.count(alerts.size() - 1, "round")))
                        + ": ",
                    alerts.get(0).warning()))
        .toList();
  }
}
