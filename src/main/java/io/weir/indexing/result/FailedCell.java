package io.weir.indexing.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunWarning;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cell that left no figures.
 *
 * @param failure why
 */
public record FailedCell(
    String name,
    CellKey cell,
    int round,
    Map<String, String> settings,
    ArmFailure failure,
    Optional<CellNoise> noise,
    List<RunWarning> warnings)
    implements CellResult {

  @Override
  @JsonProperty("status")
  public ArmStatus status() {
    return ArmStatus.FAILED;
  }

  @Override
  public FailedCell withNoise(CellNoise newNoise) {
    return new FailedCell(name, cell, round, settings, failure, Optional.of(newNoise), warnings);
  }
}
