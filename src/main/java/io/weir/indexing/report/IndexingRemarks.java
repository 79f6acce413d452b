package io.weir.indexing.report;

import io.weir.indexing.result.CellNoise;
import io.weir.indexing.result.CellResult;
import io.weir.indexing.result.IndexingResult;
import io.weir.report.words.Notes;
import io.weir.report.words.Remarks;
import io.weir.stress.result.RunWarning;
import java.util.List;
import java.util.function.Function;

/** What a reader of a run of {@code weir index} must know before the figures. */
final class IndexingRemarks {

  private IndexingRemarks() {}

  static Remarks of(IndexingResult run) {
    return new Remarks(
        Remarks.interrupted(run.interrupted()),
        CellResult.failed(run.cells())
            .map(cell -> Remarks.Failure.of(cell.name(), cell.round(), cell.failure()))
            .toList(),
        Notes.of(
            run.noise().findings(),
            cells(run, cell -> cell.noise().map(CellNoise::findings).orElse(List.of()))),
        Notes.of(run.warnings(), cells(run, CellResult::warnings)));
  }

  private static List<Notes.OfArm> cells(
      IndexingResult run, Function<CellResult, List<RunWarning>> found) {
    return run.cells().stream()
        .map(cell -> new Notes.OfArm(cell.name(), cell.round(), found.apply(cell)))
        .toList();
  }
}
