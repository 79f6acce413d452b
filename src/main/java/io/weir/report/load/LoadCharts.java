package io.weir.report.load;

import io.weir.figure.Figure;
import io.weir.report.load.LineChart.Axis;
import io.weir.report.load.LineChart.Line;
import io.weir.report.load.LineChart.Point;
import io.weir.report.model.HistogramLogFile;
import io.weir.report.model.LatencyCurve;
import io.weir.report.svg.ArmMarks;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.RunFiles;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import java.io.IOException;
import java.nio.file.Files;
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
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** The charts of a run of {@code weir load}. */
final class LoadCharts {

  private static final Axis LOAD = new Axis("requests per second", true, 0);
  private static final Axis MILLIS = new Axis("ms", true, 0);
  private static final Axis PERCENT = new Axis("% of all processors", false, 100);
  private static final Axis SECONDS = new Axis("seconds since the server started", false, 1);
  private static final Axis MEGABYTES = new Axis("MB", false, 1);
  private static final Axis PAUSE = new Axis("ms", true, 0);

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

  ArmMarks marks() {
    return marks;
  }

  /** A figure of the response times against load, a line for each arm. */
  LineChart latency(String figure, Function<LatencySummary, Optional<Double>> of) {
    List<Line> lines = new ArrayList<>();
    for (String name : run.names()) {
      lines.add(
          new Line(
              marks.style(name),
              Optional.of(marks.shape(name)),
              true,
              byLoad(name, step -> step.get(StepFigures.LATENCY).flatMap(of))));
    }
    return new LineChart(figure + " of response times against load", LOAD, MILLIS, lines);
  }

  /** What one arm used against load. */
  LineChart use(String name) {
    return new LineChart(
        "What " + name + " used against load",
        LOAD,
        PERCENT,
        List.of(
            useLine("machine", name, StepFigures.MACHINE),
            useLine("server", name, StepFigures.SERVER),
            useLine("client", name, StepFigures.CLIENT),
            useLine("collector", name, StepFigures.COLLECTOR)));
  }

  private Line useLine(String style, String name, Figure<Double> figure) {
    return new Line("use-" + style, Optional.empty(), true, byLoad(name, step -> step.get(figure)));
  }

  /** The median of the rounds at each load, with the least and the most. */
  private List<Point> byLoad(String name, Function<Part, Optional<Double>> of) {
    Map<Double, List<Double>> values =
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
            at -> {
              double[] all = at.getValue().stream().mapToDouble(Double::doubleValue).toArray();
              return new Point(
                  at.getKey(),
                  RunFigure.median(all),
                  Arrays.stream(all).min().orElseThrow(),
                  Arrays.stream(all).max().orElseThrow());
            })
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
                LoadTables.plain(step.require(StepFigures.LOAD)) + "/s",
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

  /** Heap and resident memory of the server over time, in the first round. */
  LineChart memory(String name) throws IOException {
    Path series = files.seriesCsv(name, run.rounds(name).getFirst().round());
    return new LineChart(
        "Heap and resident memory of " + name,
        SECONDS,
        MEGABYTES,
        List.of(
            new Line(
                "memory-rss",
                Optional.empty(),
                true,
                points(series, "time_nanos", "rss_bytes", 1e6)),
            new Line(
                "memory-committed",
                Optional.empty(),
                true,
                points(series, "time_nanos", "heap_committed_bytes", 1e6)),
            new Line(
                "memory-used",
                Optional.empty(),
                true,
                points(series, "time_nanos", "heap_used_bytes", 1e6))));
  }

  /** The pauses of the collector over the same time. */
  LineChart pauses(String name) throws IOException {
    Path gc = files.gcCsv(name, run.rounds(name).getFirst().round());
    List<Point> pauses = points(gc, "start_nanos", "duration_nanos", 1e6);
    Path series = files.seriesCsv(name, run.rounds(name).getFirst().round());
    double end =
        points(series, "time_nanos", "heap_used_bytes", 1e6).stream()
            .mapToDouble(Point::x)
            .max()
            .orElse(1);
    return new LineChart(
        "Pauses of the collector of " + name,
        new Axis(SECONDS.label(), false, end),
        PAUSE,
        List.of(new Line("pauses", Optional.empty(), false, pauses)));
  }

  /** Columns of a file, thinned so that a page stays small; a file that is missing has none. */
  private static List<Point> points(Path file, String nanos, String value, double unit)
      throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    List<Point> points = new ArrayList<>();
    try (CSVParser lines =
        CSVParser.parse(
            Files.newBufferedReader(file),
            CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
      for (CSVRecord line : lines) {
        if (line.isConsistent() && !line.get(value).isEmpty()) {
          points.add(
              Point.of(
                  Long.parseLong(line.get(nanos)) / 1e9, Long.parseLong(line.get(value)) / unit));
        }
      }
    }
    int every = Math.ceilDiv(points.size(), MOST_POINTS);
    List<Point> few = new ArrayList<>();
    for (int i = 0; i < points.size(); i += Math.max(1, every)) {
      few.add( // the highest of each group, so that no peak is lost
          points.subList(i, Math.min(points.size(), i + every)).stream()
              .max(Comparator.comparingDouble(Point::y))
              .orElseThrow());
    }
    return few;
  }
}
