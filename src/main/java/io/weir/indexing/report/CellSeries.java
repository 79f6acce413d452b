package io.weir.indexing.report;

import io.weir.indexing.steady.EvenRates;
import io.weir.report.model.CsvFile;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
