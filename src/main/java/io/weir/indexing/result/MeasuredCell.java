package io.weir.indexing.result;

import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunWarning;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cell that left figures.
 *
 * @param source what the documents alone could feed
 * @param whole from the first document until the index is whole: all flushed, merged and committed
 * @param drain the part of that after the last document
 * @param steady the part in which the rate was steady; empty when there were too few samples
 */
public record MeasuredCell(
    String name,
    CellKey cell,
    int round,
    ArmStatus status,
    Map<String, String> settings,
    SourceRate source,
    IndexingWindow whole,
    IndexingWindow drain,
    Optional<SteadyWindow> steady,
    Optional<CellNoise> noise,
    List<RunWarning> warnings)
    implements CellResult {

  @Override
  public MeasuredCell withNoise(CellNoise newNoise) {
    return new MeasuredCell(
        name,
        cell,
        round,
        status,
        settings,
        source,
        whole,
        drain,
        steady,
        Optional.of(newNoise),
        warnings);
  }
}
