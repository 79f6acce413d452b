package io.weir.indexing.report;

import io.weir.indexing.plan.CellKey;
import io.weir.report.table.Table;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Window;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tables of a run of {@code weir index}. */
public final class IndexingTables {

  private static final double BYTES_PER_MEGABYTE = 1e6;

  private IndexingTables() {}

  /** All of them, the matrix first. */
  public static List<Table> of(Run run) {
    List<CellSummary> cells = CellSummary.of(run);
    return cells.isEmpty() ? List.of() : List.of(rates(cells), writing(cells), machine(cells));
  }

  private static Table rates(List<CellSummary> cells) {
    boolean ofRounds = cells.stream().allMatch(CellSummary::isIntervalOfRounds);
    return table(
        "Indexing rate: at steady state, and of the whole cell with its start and its end",
        cells,
        List.of(
            new Column("steady", "GB/h"),
            new Column("95 %", ofRounds ? "of rounds" : "of parts"),
            new Column("documents", "/s"),
            new Column("whole", "GB/h"),
            new Column("whole", "% of steady"),
            new Column("cut", "s"),
            new Column("steady for", "s"),
            new Column("verdict", "")),
        cell -> {
          double steady = cell.steady(CellFigures.RATE);
          double whole = cell.whole(CellFigures.RATE);
          return List.of(
              Figures.oneDecimal(steady),
              cell.interval().map(rate -> Figures.range(rate.low(), rate.high())).orElse("-"),
              whole(cell.steady(CellFigures.DOCUMENTS_PER_SECOND)),
              Figures.oneDecimal(whole),
              steady > 0 ? whole(100 * whole / steady) : "-",
              Figures.oneDecimal(cell.median(CellFigures.CUT_START))
                  + "+"
                  + Figures.oneDecimal(cell.median(CellFigures.CUT_END)),
              Figures.oneDecimal(cell.seconds(Window.STEADY)),
              cell.verdict().label());
        });
  }

  private static Table writing(List<CellSummary> cells) {
    return table(
        "What was written at steady state, and what the end still cost",
        cells,
        List.of(
            new Column("flushes", ""),
            new Column("flushed", "MB"),
            new Column("merged", "MB"),
            new Column("amplified", "x"),
            new Column("for text", "x"),
            new Column("debt", "MB, most"),
            new Column("merge stalls", "s"),
            new Column("flush stalls", "s"),
            new Column("end took", "s")),
        cell ->
            List.of(
                whole(cell.steady(CellFigures.FLUSHES)),
                megabytes(cell.steady(CellFigures.FLUSHED)),
                megabytes(cell.steady(CellFigures.MERGED)),
                cell.ifEach(CellFigures.WRITE_AMPLIFICATION).map(Figures::twoDecimals).orElse("-"),
                cell.ifEach(CellFigures.WRITTEN_FOR_TEXT).map(Figures::twoDecimals).orElse("-"),
                megabytes(cell.steady(CellFigures.MOST_MERGE_DEBT)),
                Figures.oneDecimal(cell.steady(CellFigures.MERGE_STALLED)),
                Figures.oneDecimal(cell.steady(CellFigures.FLUSH_STALLED)),
                Figures.oneDecimal(cell.seconds(Window.DRAIN))));
  }

  private static Table machine(List<CellSummary> cells) {
    return table(
        "What was busy at steady state, and how fast the source alone is",
        cells,
        List.of(
            new Column("processors", "% of machine"),
            new Column("indexing threads", "% of machine"),
            new Column("collections", ""),
            new Column("collecting", "s"),
            new Column("source", "GB/h"),
            new Column("source", "x steady")),
        cell ->
            List.of(
                percent(cell.ifEach(CellFigures.PROCESSORS)),
                percent(cell.ifEach(CellFigures.INDEXING_THREADS)),
                whole(cell.steady(CellFigures.COLLECTIONS)),
                Figures.oneDecimal(cell.steady(CellFigures.COLLECTING)),
                whole(cell.median(CellFigures.SOURCE_RATE)),
                Figures.brief(cell.sourceFactor())));
  }

  /** The cells of one cell of the matrix. */
  private interface Line {
    List<String> of(CellSummary cell);
  }

  private static Table table(
      String title, List<CellSummary> cells, List<Column> figures, Line line) {
    boolean arms = cells.stream().map(cell -> cell.cell().arm()).distinct().count() > 1;
    List<Column> columns = new ArrayList<>();
    if (arms) {
      columns.add(new Column("arm", ""));
    }
    columns.add(new Column("threads", ""));
    columns.add(new Column("buffer", ""));
    int labels = columns.size();
    columns.addAll(figures);
    List<Row> rows = new ArrayList<>();
    Optional<CellKey> before = Optional.empty();
    for (CellSummary cell : cells) {
      CellKey key = cell.cell();
      boolean group =
          before.isPresent()
              && (!before.get().arm().equals(key.arm()) || before.get().threads() != key.threads());
      List<Optional<String>> texts = new ArrayList<>();
      if (arms) {
        texts.add(Optional.of(key.arm()));
      }
      texts.add(Optional.of(Integer.toString(key.threads())));
      texts.add(Optional.of(key.ramBufferText()));
      line.of(cell).forEach(text -> texts.add(Optional.of(text)));
      rows.add(new Row(group, texts));
      before = Optional.of(key);
    }
    return new Table(title, columns, labels, rows);
  }

  private static String whole(double value) {
    return Long.toString(Math.round(value));
  }

  private static String megabytes(double bytes) {
    return whole(bytes / BYTES_PER_MEGABYTE);
  }

  private static String percent(Optional<Double> share) {
    return share.map(value -> whole(100 * value)).orElse("-");
  }
}
