package io.weir.report.load;

import io.weir.figure.Figure;
import io.weir.report.chart.ArmMarks;
import io.weir.report.chart.Axis;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Series;
import io.weir.report.chart.Chart.Whisker;
import io.weir.report.model.CsvFile;
import io.weir.report.model.HistogramLogFile;
import io.weir.report.model.LatencyCurve;
import io.weir.report.words.Figures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.RunFiles;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** The charts of a run of {@code weir load}. */
final class LoadCharts {

  private static final int HEIGHT = 250;

  /** More curves than these in one picture cannot be told apart. */
  private static final int MOST_CURVES = 6;

  private static final int MOST_POINTS = 1500;

  private final Run run;
  private final RunFiles files;
  private final ArmMarks marks;

  LoadCharts(Run run, RunFiles files) {
    this.run = run;
    this.files = files;
    this.marks = new ArmMarks(run.names());
  }

  /** A figure of the response times against load, a line for each arm. */
  Chart latency(String figure, Function<LatencySummary, Optional<Double>> of) {
    return byLoad(
        figure,
        figure + " of response times against load",
        Axis.log("ms"),
        run.names().stream()
            .map(
                name -> {
                  List<Medians> medians =
                      byLoad(name, step -> step.get(StepFigures.LATENCY).flatMap(of));
                  return within(
                      marks.series(name, Form.BOTH, loads(medians), values(medians)), medians);
                })
            .toList());
  }

  /** What one arm used against load. */
  Chart use(String name) {
    return byLoad(
        name,
        "What " + name + " used against load",
        Axis.linear("% of all processors", 100),
        List.of(
            use(name, "the machine", "ochre", StepFigures.MACHINE),
            use(name, "the server", "blue", StepFigures.SERVER),
            use(name, "the client", "green", StepFigures.CLIENT),
            use(name, "the server's collector", "red", StepFigures.COLLECTOR)));
  }

  private Series use(String name, String label, String colour, Figure<Double> figure) {
    List<Medians> medians = byLoad(name, step -> step.get(figure));
    return within(
        Series.of("", label, colour, Form.LINE, loads(medians), values(medians)), medians);
  }

  private static Chart byLoad(String title, String summary, Axis left, List<Series> series) {
    List<Double> loads = series.stream().flatMap(one -> one.x().stream()).toList();
    return chart(title, summary, Axis.log("requests per second").around(loads), left, series);
  }

  private static Chart chart(String title, String summary, Axis x, Axis left, List<Series> series) {
    Chart chart =
        new Chart(
            "load",
            title,
            summary,
            HEIGHT,
            x,
            left,
            Optional.empty(),
            series,
            List.of(),
            List.of());
    return Chart.onOneScale(List.of(chart), x).getFirst();
  }

  /** The median of the rounds at one load, with the least and the most. */
  private record Medians(double load, double[] values) {

    double median() {
      return RunFigure.median(values);
    }

    Whisker whisker() {
      return new Whisker(
          load,
          load,
          Arrays.stream(values).min().orElseThrow(),
          Arrays.stream(values).max().orElseThrow());
    }
  }

  private static List<Double> loads(List<Medians> medians) {
    return medians.stream().map(Medians::load).toList();
  }

  private static List<Double> values(List<Medians> medians) {
    return medians.stream().map(Medians::median).toList();
  }

  private static Series within(Series series, List<Medians> medians) {
    return series.within(medians.stream().map(Medians::whisker).toList());
  }

  private List<Medians> byLoad(String name, Function<Part, Optional<Double>> of) {
    TreeMap<Double, List<Double>> values =
        run.rounds(name).stream()
            .flatMap(round -> round.parts().stream())
            .filter(step -> step.status() != Status.INTERRUPTED)
            .filter(step -> of.apply(step).isPresent())
            .collect(
                Collectors.groupingBy(
                    step -> step.require(StepFigures.LOAD),
                    TreeMap::new,
                    Collectors.mapping(step -> of.apply(step).orElseThrow(), Collectors.toList())));
    return values.entrySet().stream()
        .map(
            at ->
                new Medians(
                    at.getKey(), at.getValue().stream().mapToDouble(Double::doubleValue).toArray()))
        .toList();
  }

  /** The whole distribution of one arm in its first round, a curve for each of a few loads. */
  List<LatencyCurve> curves(String name) throws IOException {
    Part round = run.rounds(name).getFirst();
    HistogramLogFile log = HistogramLogFile.read(files.responsesHistogramLog(name, round.round()));
    Map<Double, LatencyCurve> byLoad = new TreeMap<>();
    for (Part step : round.parts()) {
      Histogram nanos = log.byTag().get(Long.toString(step.require(StepFigures.NUMBER)));
      if (nanos != null && nanos.getTotalCount() > 0) {
        byLoad.put(
            step.require(StepFigures.LOAD),
            new LatencyCurve(
                Figures.plain(step.require(StepFigures.LOAD)) + "/s",
                nanos,
                Math.round(step.require(StepFigures.LATENCY).maxMillis() * 1e6)));
      }
    }
    List<LatencyCurve> all = List.copyOf(byLoad.values());
    if (all.size() <= MOST_CURVES) {
      return all;
    }
    List<LatencyCurve> few = new ArrayList<>();
    for (int i = 0; i < MOST_CURVES; i++) { // the least and the most always
      few.add(all.get(Math.round(i * (all.size() - 1) / (float) (MOST_CURVES - 1))));
    }
    return few;
  }

  /** Heap and resident memory of the server over time, in the first round, and its pauses. */
  List<Chart> memory(String name) throws IOException {
    int round = run.rounds(name).getFirst().round();
    List<Series> memory = new ArrayList<>();
    for (Column column : MEMORY) {
      memory.add(column.of(files.seriesCsv(name, round)));
    }
    double end = memory.stream().flatMap(one -> one.x().stream()).max(Double::compare).orElse(1.0);
    Axis seconds = Axis.named("seconds since the server started", 0, end, List.of());
    return List.of(
        chart(
            name + ": heap and resident memory",
            "Heap and resident memory of " + name,
            seconds,
            Axis.linear("MB", 1),
            memory),
        chart(
            name + ": pauses of the collector",
            "Pauses of the collector of " + name,
            seconds,
            Axis.log("ms"),
            List.of(PAUSES.of(files.gcCsv(name, round)))));
  }

  private static final List<Column> MEMORY =
      List.of(
          new Column("resident memory", "blue", Form.LINE, "time_nanos", "rss_bytes"),
          new Column("heap committed", "muted", Form.LINE, "time_nanos", "heap_committed_bytes"),
          new Column("heap used", "green", Form.LINE, "time_nanos", "heap_used_bytes"));

  private static final Column PAUSES =
      new Column("", "red", Form.BAR, "start_nanos", "duration_nanos");

  /** A column of a file in millionths, over one in nanoseconds. */
  private record Column(String label, String colour, Form form, String nanos, String column) {

    private record Point(double seconds, double value) {}

    /** Thinned so that a page stays small; of a file that is missing there is none. */
    Series of(Path file) throws IOException {
      List<Point> points = new ArrayList<>();
      CsvFile.read(
          file,
          line ->
              CsvFile.optional(line, column)
                  .ifPresent(
                      value ->
                          points.add(
                              new Point(Long.parseLong(line.get(nanos)) / 1e9, value / 1e6))));
      int every = Math.max(1, Math.ceilDiv(points.size(), MOST_POINTS));
      List<Point> few = new ArrayList<>();
      for (int i = 0; i < points.size(); i += every) {
        few.add( // the highest of each group, so that no peak is lost
            points.subList(i, Math.min(points.size(), i + every)).stream()
                .max(Comparator.comparingDouble(Point::value))
                .orElseThrow());
      }
      return Series.of(
          "",
          label,
          colour,
          form,
          few.stream().map(Point::seconds).toList(),
          few.stream().map(Point::value).toList());
    }
  }
}
