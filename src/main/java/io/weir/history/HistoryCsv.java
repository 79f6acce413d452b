package io.weir.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * A series of runs as CSV: a run a line, with its time, the versions that it had, and a column for
 * each figure. A cell is empty where a run has no such figure.
 */
public final class HistoryCsv {

  private static final List<String> VERSIONS = List.of("Weir", "Lucene", "Java");

  private HistoryCsv() {}

  /**
   * Of runs in the order of their times.
   *
   * @throws IllegalArgumentException if no figure of theirs is wanted
   */
  public static String of(List<HistoryEntry> runs, FigurePatterns patterns) throws IOException {
    List<String> figures = patterns.of(runs);
    if (figures.isEmpty()) {
      throw new IllegalArgumentException(
          "--figure must name figures of the series: " + patterns.patterns());
    }
    StringBuilder out = new StringBuilder();
    CSVPrinter printer =
        new CSVPrinter(out, CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get());
    List<Object> cells = new ArrayList<>(List.of("time"));
    VERSIONS.forEach(name -> cells.add(name.toLowerCase(Locale.ROOT)));
    cells.addAll(figures);
    printer.printRecord(cells);
    for (HistoryEntry run : runs) {
      cells.clear();
      cells.add(run.at());
      VERSIONS.forEach(name -> cells.add(run.versions().get(name)));
      figures.forEach(name -> cells.add(run.figures().get(name)));
      printer.printRecord(cells);
    }
    return out.toString();
  }
}
