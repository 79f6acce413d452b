package io.weir.indexing.report;

import static io.weir.report.words.Figures.oneDecimal;

import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Figures;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Window;
import io.weir.run.FigureBy;
import io.weir.run.Run;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tables of a run of {@code weir index}. */
public final class IndexingTables {

  private IndexingTables() {}

  /** All of them, the matrix first; without rows when no cell has figures. */
  public static List<Table> of(Run run) {
    List<CellSummary> cells = CellSummary.of(run);
    return Stream.of(rates(cells), writing(cells), machine(cells))
        .map(sheet -> sheet.table(cells))
        .toList();
  }

  /** A row for each cell of the matrix. */
  private static Sheet<CellSummary> sheet(String title, List<CellSummary> cells) {
    return Sheet.<CellSummary>wide(title)
        .groupedBy(cell -> List.of(cell.cell().arm(), cell.cell().threads()))
        .word("arm", cell -> cell.cell().arm())
        .when(cells.stream().map(cell -> cell.cell().arm()).distinct().count() > 1)
        .word("threads", cell -> Integer.toString(cell.cell().threads()))
        .word("buffer", cell -> cell.cell().ramBufferText());
  }

  private static Sheet<CellSummary> rates(List<CellSummary> cells) {
    boolean ofRounds = cells.stream().allMatch(CellSummary::isIntervalOfRounds);
    return sheet(
            "Indexing rate: at steady state, and of the whole cell with its start and its end",
            cells)
        .text("steady", "GB/h", cell -> oneDecimal(cell.steady(CellFigures.RATE)))
        .cell(
            "95 %",
            ofRounds ? "of rounds" : "of parts",
            cell -> cell.interval().map(rate -> Figures.range(rate.low(), rate.high())))
        .text("documents", "/s", cell -> whole(cell.steady(CellFigures.DOCUMENTS_PER_SECOND)))
        .text("whole", "GB/h", cell -> oneDecimal(cell.whole(CellFigures.RATE)))
        .cell("whole", "% of steady", IndexingTables::wholePercent)
        .text("cut", "s", IndexingTables::cut)
        .text("steady for", "s", cell -> oneDecimal(cell.seconds(Window.STEADY)))
        .text("verdict", "", cell -> cell.verdict().label());
  }

  private static Optional<String> wholePercent(CellSummary cell) {
    return Optional.of(cell.steady(CellFigures.RATE))
        .filter(steady -> steady > 0)
        .map(steady -> whole(100 * cell.whole(CellFigures.RATE) / steady));
  }

  private static String cut(CellSummary cell) {
    return oneDecimal(cell.median(CellFigures.CUT_START))
        + "+"
        + oneDecimal(cell.median(CellFigures.CUT_END));
  }

  private static Sheet<CellSummary> writing(List<CellSummary> cells) {
    return sheet("What was written at steady state, and what the end still cost", cells)
        .text("flushes", "", cell -> whole(cell.steady(CellFigures.FLUSHES)))
        .text("flushed", "MB", cell -> whole(cell.steady(CellFigures.FLUSHED) / 1e6))
        .text("merged", "MB", cell -> whole(cell.steady(CellFigures.MERGED) / 1e6))
        .two("amplified", "x", cell -> cell.ifEach(CellFigures.WRITE_AMPLIFICATION))
        .two("for text", "x", cell -> cell.ifEach(CellFigures.WRITTEN_FOR_TEXT))
        .text("debt", "MB, most", cell -> whole(cell.steady(CellFigures.MOST_MERGE_DEBT) / 1e6))
        .text("merge stalls", "s", cell -> oneDecimal(cell.steady(CellFigures.MERGE_STALLED)))
        .text("flush stalls", "s", cell -> oneDecimal(cell.steady(CellFigures.FLUSH_STALLED)))
        .text("end took", "s", cell -> oneDecimal(cell.seconds(Window.DRAIN)));
  }

  private static Sheet<CellSummary> machine(List<CellSummary> cells) {
    return sheet("What was busy at steady state, and how fast the source alone is", cells)
        .cell("processors", "% of machine", cell -> percent(cell, CellFigures.PROCESSORS))
        .cell(
            "indexing threads", "% of machine", cell -> percent(cell, CellFigures.INDEXING_THREADS))
        .text("collections", "", cell -> whole(cell.steady(CellFigures.COLLECTIONS)))
        .text("collecting", "s", cell -> oneDecimal(cell.steady(CellFigures.COLLECTING)))
        .text("source", "GB/h", cell -> whole(cell.median(CellFigures.SOURCE_RATE)))
        .text("source", "x steady", cell -> Figures.brief(cell.sourceFactor()));
  }

  private static String whole(double value) {
    return Long.toString(Math.round(value));
  }

  private static Optional<String> percent(CellSummary cell, FigureBy<Window, Double> share) {
    return cell.ifEach(share).map(value -> whole(100 * value));
  }
}
