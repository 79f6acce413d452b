package io.weir.indexing.result;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunWarning;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one cell showed in one round: figures, or why there are none. In JSON, {@code status} tells
 * the two apart.
 */
@JsonTypeInfo(
    use = JsonTypeInfo.Id.NAME,
    include = JsonTypeInfo.As.EXISTING_PROPERTY,
    property = "status",
    visible = true)
@JsonSubTypes({
  @JsonSubTypes.Type(
      value = MeasuredCell.class,
      names = {"done", "interrupted"}),
  @JsonSubTypes.Type(value = FailedCell.class, name = "failed")
})
public sealed interface CellResult permits MeasuredCell, FailedCell {

  /** {@link CellKey#title}. */
  String name();

  /** Which cell. */
  CellKey cell();

  /** The round, from 1. */
  int round();

  /** How the cell ended. */
  ArmStatus status();

  /** What the cell ran with, each option by its name. */
  Map<String, String> settings();

  /** How quiet the machine was while the cell ran. */
  Optional<CellNoise> noise();

  /** What a reader of the figures must know. */
  List<RunWarning> warnings();

  /** This result with {@code noise} instead of its own. */
  CellResult withNoise(CellNoise noise);

  /** The cells that have figures, in their order. */
  static Stream<MeasuredCell> measured(List<CellResult> results) {
    return results.stream().filter(MeasuredCell.class::isInstance).map(MeasuredCell.class::cast);
  }

  /** The cells that have none, in their order. */
  static Stream<FailedCell> failed(List<CellResult> results) {
    return results.stream().filter(FailedCell.class::isInstance).map(FailedCell.class::cast);
  }
}
