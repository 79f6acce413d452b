package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one arm showed in one round: figures, or why there are none. In JSON, {@code status} tells
 * the two apart.
 */
@JsonTypeInfo(
    use = JsonTypeInfo.Id.NAME,
    include = JsonTypeInfo.As.EXISTING_PROPERTY,
    property = "status",
    visible = true)
@JsonSubTypes({
  @JsonSubTypes.Type(
      value = MeasuredArm.class,
      names = {"done", "interrupted"}),
  @JsonSubTypes.Type(value = FailedArm.class, name = "failed")
})
public sealed interface ArmResult permits MeasuredArm, FailedArm {

  /** The arm, as the user named it. */
  String name();

  /** The round, from 1. */
  int round();

  /** How the arm ended. */
  ArmStatus status();

  /** What the arm ran with, each option by its name. */
  Map<String, String> settings();

  /** How quiet the host was while the arm ran. */
  Optional<ArmNoise> noise();

  /** How much of the index was in the page cache; empty when the arm did not get that far. */
  Optional<CacheResult> cache();

  /** What a reader of the figures must know. */
  List<RunWarning> warnings();

  /** This result with {@code noise} instead of its own. */
  ArmResult withNoise(ArmNoise noise);

  /** The arms of {@code results} that have figures, in their order. */
  static Stream<MeasuredArm> measured(List<ArmResult> results) {
    return results.stream().filter(MeasuredArm.class::isInstance).map(MeasuredArm.class::cast);
  }

  /** The arms of {@code results} that have none, in their order. */
  static Stream<FailedArm> failed(List<ArmResult> results) {
    return results.stream().filter(FailedArm.class::isInstance).map(FailedArm.class::cast);
  }

  /** The figures, if there are any. */
  default Optional<MeasuredArm> figures() {
    return measured(List.of(this)).findFirst();
  }

  /** False only if the page cache is known not to have been in the requested state. */
  default boolean cacheAsAsked() {
    return cache().flatMap(CacheResult::asAsked).orElse(true);
  }
}
