package io.weir.indexing.report;

import io.weir.indexing.steady.EvenRates;
import io.weir.report.chart.Axis;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Band;
import io.weir.report.html.Html;
import io.weir.report.html.HtmlTable;
import io.weir.report.html.Page;
import io.weir.report.model.CsvFile;
import io.weir.report.words.Figures;
import io.weir.report.words.Remarks;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Window;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes {@code report.html} of a run of {@code weir index}.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class IndexingReport {

  private static final int HEIGHT = 220;

  private IndexingReport() {}

  /** Reads the run and writes {@link RunFiles#reportHtml}. */
  public static void write(RunFiles files) throws IOException {
    Run run = files.read();
    RunJson.replace(files.reportHtml(), render(run, CellSeries.read(files)));
  }

  private static String render(Run run, Map<CellSeries.Key, CellSeries> series) throws IOException {
    List<String> answer = IndexingAnswer.of(run);
    Remarks remarks = Remarks.of(run);
    Page page =
        new Page(
            "How fast Lucene indexed",
            Html.subtitle(run.startedAt(), run.duration(), run.weir(), run.lucene()));
    page.add(Html.alerts(remarks, ""))
        .add(Html.answer(answer.stream().limit(1).toList(), ""))
        .add(
            Html.headlines(
                answer.stream().skip(1).map(Html::headline).collect(Collectors.joining())))
        .add(Html.notes(remarks))
        .section("figures", "The figures", Html.tables(HtmlTable.of(IndexingTables.of(run))))
        .section(
            "charts",
            "The rate over time",
            Page.HINT.formatted(
                    "Time is in seconds since the first document. The shaded span is the steady"
                        + " part.")
                + Html.two(charts(page, run, series)));
    return page.section("facts", "Where this was measured", facts(run)).render();
  }

  private static String charts(Page page, Run run, Map<CellSeries.Key, CellSeries> series) {
    return run.measured()
        .filter(cell -> cell.round() == 1)
        .sorted(CellSummary.order(run))
        .flatMap(
            cell ->
                Optional.ofNullable(series.get(new CellSeries.Key(cell.name(), cell.round())))
                    .map(one -> chart(cell, one))
                    .stream())
        .map(chart -> page.figure("", "h3", chart.title(), chart))
        .collect(Collectors.joining());
  }

  /** The first round stands for all: the figures of the others are in the tables. */
  private static Chart chart(Part cell, CellSeries series) {
    Optional<Double> from = cell.get(CellFigures.FROM, Window.STEADY);
    Optional<Double> to = cell.get(CellFigures.TO, Window.STEADY);
    List<Double> x = series.times();
    Chart chart =
        new Chart(
            "",
            cell.name() + ", round " + cell.round(),
            cell.get(CellFigures.RATE, Window.STEADY)
                .map(
                    steady ->
                        "%s GB/h from second %s to %s; %s with start and end"
                            .formatted(
                                Figures.threeDigits(steady),
                                Figures.oneDecimal(from.orElseThrow()),
                                Figures.oneDecimal(to.orElseThrow()),
                                Figures.threeDigits(cell.require(CellFigures.RATE, Window.WHOLE))))
                .orElse("no steady part"),
            HEIGHT,
            Axis.seconds(0, x.getLast()),
            Axis.linear("GB/h", 0),
            Optional.of(Axis.linear("MB/s written", 0)),
            List.of(
                line("text indexed", "blue", x, series.gigabytesPerHour()),
                line("flushed", "green", x, series.flushedPerSecond()).onTheRight(true),
                line("merged", "brick", x, series.mergedPerSecond()).onTheRight(true)),
            from.stream().map(start -> Band.shaded(start, to.orElseThrow(), "")).toList(),
            List.of());
    return Chart.onOneScale(List.of(chart), chart.x()).getFirst();
  }

  private static Chart.Series line(
      String label, String colour, List<Double> x, List<Double> values) {
    return Chart.Series.of(label, label, colour, Chart.Form.LINE, x, values);
  }

  private static String facts(Run run) {
    Map<String, String> arms = new TreeMap<>();
    run.parts()
        .forEach(cell -> arms.put(cell.require(CellFigures.ARM), Html.settings(cell.settings())));
    return Html.facts(
        run.environment(),
        run.workload(),
        arms,
        run.command(),
        "GB is 1,000,000,000 bytes of text as UTF-8. The steady part is what is left when the"
            + " values at both ends that make the mean less certain are cut off (MSER-5), in whole"
            + " cycles of flushes. The whole cell lasts until all is flushed, merged and committed."
            + " A dash marks a value that was not measured.");
  }

  /**
   * The samples of one cell in one round, as the run directory has them.
   *
   * <p><b>Failure:</b> lines that cannot be read are left out.
   */
  record CellSeries(Key key, List<long[]> samples) {

    /** Which cell, by its title, and which round. */
    record Key(String cell, long round) {}

    private static final List<String> COLUMNS =
        List.of("time_nanos", "text_bytes", "flushed_bytes", "merged_bytes");

    private static final int MOST_POINTS = 200;
    private static final long LEAST_STEP_NANOS = 20_000_000;

    /** All series of a run, by cell and round; none without the file. */
    static Map<Key, CellSeries> read(RunFiles files) throws IOException {
      Map<Key, CellSeries> series = new LinkedHashMap<>();
      CsvFile.read(
          files.seriesCsv(),
          line -> {
            Key key = new Key(line.get("cell"), Long.parseLong(line.get("round")));
            long[] values = COLUMNS.stream().mapToLong(c -> Long.parseLong(line.get(c))).toArray();
            series
                .computeIfAbsent(key, unused -> new CellSeries(key, new ArrayList<>()))
                .samples()
                .add(values);
          });
      series.values().removeIf(one -> one.samples().size() < 2);
      return series;
    }

    /** How long the steps of {@link #times} are: at least what a screen can show. */
    long stepNanos() {
      return Math.max(LEAST_STEP_NANOS, samples.getLast()[0] / MOST_POINTS);
    }

    /** The middle of each step, in seconds. */
    List<Double> times() {
      List<Double> times = new ArrayList<>();
      int steps = rates(1).size();
      for (int i = 0; i < steps; i++) {
        times.add((i + 0.5) * stepNanos() / 1e9);
      }
      return times;
    }

    /** Text indexed in each step, in gigabytes an hour. */
    List<Double> gigabytesPerHour() {
      return rates(1).stream().map(EvenRates::toGigabytesPerHour).toList();
    }

    /** What flushes wrote in each step, in megabytes a second. */
    List<Double> flushedPerSecond() {
      return rates(2).stream().map(rate -> rate / 1e6).toList();
    }

    /** What merges wrote in each step, in megabytes a second. */
    List<Double> mergedPerSecond() {
      return rates(3).stream().map(rate -> rate / 1e6).toList();
    }

    private List<Double> rates(int column) {
      double[] rates =
          EvenRates.of(
              samples.stream().mapToLong(sample -> sample[0]).toArray(),
              samples.stream().mapToLong(sample -> sample[column]).toArray(),
              stepNanos());
      List<Double> list = new ArrayList<>();
      for (double rate : rates) {
        list.add(rate);
      }
      return list;
    }
  }
}
