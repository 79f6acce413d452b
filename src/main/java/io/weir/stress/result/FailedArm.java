package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An arm that left no figures.
 *
 * @param failure why
 */
public record FailedArm(
    String name,
    int round,
    Map<String, String> settings,
    ArmFailure failure,
    Optional<ArmNoise> noise,
    Optional<CacheResult> cache,
    List<RunWarning> warnings)
    implements ArmResult {

  /** An arm whose JVM gave no answer, so that nothing else is known of it. */
  public static FailedArm of(
      String name, int round, Map<String, String> settings, ArmFailure failure) {
    return new FailedArm(
        name, round, settings, failure, Optional.empty(), Optional.empty(), List.of());
  }

  @Override
  @JsonProperty("status")
  public ArmStatus status() {
    return ArmStatus.FAILED;
  }

  @Override
  public FailedArm withNoise(ArmNoise newNoise) {
    return new FailedArm(name, round, settings, failure, Optional.of(newNoise), cache, warnings);
  }
}
