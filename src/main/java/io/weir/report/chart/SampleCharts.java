package io.weir.report.chart;

import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Series;
import io.weir.report.model.Samples;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes the charts of the sampler's values. Gauges are drawn sample by sample, rates over windows
 * of at least {@value #RATE_WINDOW_NANOS} ns. A very long arm has wider windows, which keep every
 * peak.
 */
final class SampleCharts {
  /** Shorter windows show the sampler's jitter, longer ones hide the pauses of a merge. */
  static final long RATE_WINDOW_NANOS = 700_000_000L;

  private final Samples samples;
  private final Windows gauges;
  private final Windows rates;

  /** The times of the values; series of the same times share one list. */
  private final List<Double> gaugeSeconds;

  private final List<Double> rateSeconds;

  /**
   * @param limit the most windows a chart may have
   */
  SampleCharts(Samples samples, int limit) {
    this.samples = samples;
    int rows = samples.size();
    long spanNanos = rows == 0 ? 0 : samples.timeNanos(rows - 1) - samples.timeNanos(0);
    long leastNanos = rows <= limit ? 0 : spanNanos / limit + 1;
    this.gauges = new Windows(samples, leastNanos);
    this.rates = new Windows(samples, Math.max(leastNanos, RATE_WINDOW_NANOS));
    this.gaugeSeconds = perWindow(gauges, gauges::endSeconds);
    this.rateSeconds = perWindow(rates, rates::endSeconds);
  }

  List<Chart> all(DirtyView view) {
    return List.of(searches(), dirty(view), merge(), pressure(), memory());
  }

  private Chart searches() {
    Series rate = line("rate", "searches", "ochre", rates, perSecond("searches", 1));
    Series slowest =
        line("slowest", "slowest", "green", rates, largest(rates, "search_max_nanos", 1e6))
            .onTheRight(true);
    String text = "On average " + Figures.brief(rate.mean()) + " searches/s";
    if (slowest.isMeasured()) {
      text +=
          "; the slowest took %s ms, at %s"
              .formatted(Figures.brief(slowest.largest()), Figures.seconds(slowest.xOfLargest()));
    }
    return chart(
        "searches",
        "Searches",
        140,
        Axis.linear("/s", 0),
        Optional.of(Axis.linear("ms", 0)),
        text,
        rate,
        slowest);
  }

  private Chart dirty(DirtyView view) {
    Series dirty = gauge("dirty", "dirty", "blue", Form.FILLED, "dirty_bytes");
    Series writeback = gauge("writeback", "writeback", "orange", Form.LINE, "writeback_bytes");
    List<Series> series = new ArrayList<>(List.of(dirty, writeback));
    if (view.showsBackground()) {
      series.add(
          gauge(
              "background-threshold",
              "background threshold",
              "slate",
              Form.DASHED,
              DirtyView.BACKGROUND));
    }
    if (view.showsThreshold()) {
      series.add(gauge("threshold", "threshold", "red", Form.DASHED, DirtyView.THRESHOLD));
    }
    String text = "Peak " + Figures.bytes(dirty.largest() * 1e6) + " dirty";
    if (writeback.isMeasured()) {
      text += ", " + Figures.bytes(writeback.largest() * 1e6) + " under writeback";
    }
    return chart(
        "dirty",
        "Dirty pages",
        170,
        Axis.linear("MB", 0),
        Optional.empty(),
        text + view.note(samples),
        series.toArray(Series[]::new));
  }

  private Chart merge() {
    Series paused =
        line("paused", "paused", "slate", rates, perSecond("paused_nanos", 1e7))
            .as(Form.AREA)
            .onTheRight(true);
    Series rate = line("rate", "written", "teal", rates, perSecond("merge_written_bytes", 1e6));
    Series cap =
        line("cap", "cap", "red", rates, largest(rates, "cap_bytes_per_second", 1e6))
            .as(Form.DASHED);
    String text = "Up to %s MB/s".formatted(Figures.brief(rate.largest()));
    text += cap.isMeasured() ? "; cap %s MB/s".formatted(Figures.brief(cap.largest())) : "; no cap";
    if (paused.largest() > 0) {
      text +=
          "; one merge thread's time paused: up to %s %%"
              .formatted(Figures.brief(paused.largest()));
    }
    return chart(
        "merge",
        "Merge writes",
        150,
        Axis.linear("MB/s", 0),
        Optional.of(Axis.linear("%", 100)),
        text,
        paused,
        rate,
        cap);
  }

  /** What the latency goal of the arm saw and did; not measured without one. */
  Chart goal() {
    Series seen = line("seen", "latency seen", "ochre", gauges, millis("goal_seen_nanos"));
    Series limit =
        line("limit", "limit", "red", gauges, millis("goal_limit_nanos")).as(Form.DASHED);
    // The cap is the goal's only where there is one.
    Series rate =
        gauge(
                "rate",
                "rate of merges",
                "slate",
                Form.AREA,
                samples.has("goal_limit_nanos") ? "cap_bytes_per_second" : "")
            .onTheRight(true);
    Series floor =
        gauge("floor", "floor", "teal", Form.DASHED, "goal_floor_bytes_per_second")
            .onTheRight(true);
    return chart(
        "goal",
        "Latency goal",
        150,
        Axis.linear("ms", 0),
        Optional.of(Axis.linear("MB/s", 0)),
        "The limit is %s ms, the latency seen was %s ms at most; the rate from %s to %s MB/s"
            .formatted(
                Figures.brief(limit.largest()),
                Figures.brief(seen.largest()),
                Figures.brief(rate.least()),
                Figures.brief(rate.largest())),
        rate,
        floor,
        seen,
        limit);
  }

  /** What the arm read, and what of the page cache was evicted and read again. */
  Chart cache() {
    Series read =
        line("read", "read from storage", "steel", rates, perSecond("process_read_bytes", 1e6));
    Series again =
        line("again", "evicted and read again", "wine", rates, perSecond("refaulted_bytes", 1e6))
            .as(Form.FILLED);
    String peaks = each(one -> Figures.brief(one.largest()) + " MB/s " + one.label(), read, again);
    return chart(
        "cache",
        "Page cache",
        120,
        Axis.linear("MB/s", 0),
        Optional.empty(),
        "Peak " + peaks,
        again,
        read);
  }

  /**
   * Who had the processors.
   *
   * @param cores those of the machine; empty if they are unknown
   */
  Chart processors(OptionalInt cores) {
    List<Double> ofMerges = perSecond("merge_cpu_nanos", 1e9);
    List<Double> ofProcess = perSecond("process_cpu_nanos", 1e9);
    List<Double> ofMachine = perSecond("machine_cpu_nanos", 1e9);
    Series merges = line("merges", "merges", "teal", rates, ofMerges).as(Form.FILLED);
    Series rest = line("rest", "rest of the JVM", "ochre", rates, difference(ofProcess, ofMerges));
    Series others =
        line("others", "other processes", "slate", rates, difference(ofMachine, ofProcess));
    Series all =
        line(
                "cores",
                "cores",
                "red",
                rates,
                perWindow(rates, w -> cores.isPresent() ? cores.getAsInt() : Double.NaN))
            .as(Form.DASHED);
    String means = each(one -> Figures.brief(one.mean()) + " " + one.label(), merges, rest, others);
    return chart(
        "processors",
        "Who had the processors",
        140,
        Axis.linear("cores", 0),
        Optional.empty(),
        "Cores on average: "
            + means
            + (cores.isPresent() ? "; the machine has " + cores.getAsInt() : ""),
        merges,
        rest,
        others,
        all);
  }

  /** What is said of each that was measured. */
  private static String each(Function<Series, String> said, Series... of) {
    return Stream.of(of).filter(Series::isMeasured).map(said).collect(Collectors.joining(", "));
  }

  /** NaN where one of them is; two counters that were read one after the other may cross. */
  private static List<Double> difference(List<Double> whole, List<Double> part) {
    return IntStream.range(0, whole.size())
        .mapToObj(i -> Math.max(0, whole.get(i) - part.get(i)))
        .toList();
  }

  private Chart pressure() {
    Series some =
        line(
                "some",
                "at least one task waits",
                "brick",
                rates,
                perSecond("pressure_some_micros", 1e4))
            .as(Form.FILLED);
    Series full =
        line("full", "all tasks wait", "wine", rates, perSecond("pressure_full_micros", 1e4));
    return chart(
        "pressure",
        "Disk pressure",
        120,
        Axis.linear("% of time", 0),
        Optional.empty(),
        "At least one task waited for the disk %s %% of the time, at worst %s %%"
            .formatted(Figures.brief(some.mean()), Figures.brief(some.largest())),
        some,
        full);
  }

  private Chart memory() {
    Series resident = gauge("resident", "resident", "ochre", Form.LINE, "rss_bytes");
    Series committed =
        gauge("committed", "heap committed", "slate", Form.DASHED, "heap_committed_bytes");
    Series used = gauge("used", "heap used", "steel", Form.LINE, "heap_used_bytes");
    Series collections =
        line(
                "collections",
                "collection",
                "rose",
                gauges,
                perWindow(gauges, window -> grown(gauges.growth("gc_count", window))))
            .as(Form.TICK);
    String peaks =
        Stream.of(used, committed, resident)
            .filter(Series::isMeasured)
            .map(one -> Figures.bytes(one.largest() * 1e6) + " " + one.label())
            .collect(Collectors.joining(", "));
    long count = Math.round(collections.values().sum());
    return chart(
        "memory",
        "Memory",
        140,
        Axis.linear("MB", 0),
        Optional.empty(),
        "Peak "
            + peaks
            + (samples.has("gc_count") ? "; " + Figures.count(count, "collection") : ""),
        resident,
        committed,
        used,
        collections);
  }

  private static double grown(OptionalLong growth) {
    return growth.isPresent() && growth.getAsLong() > 0 ? growth.getAsLong() : Double.NaN;
  }

  private static Chart chart(
      String id,
      String title,
      int height,
      Axis left,
      Optional<Axis> right,
      String summary,
      Series... series) {
    boolean measured = Stream.of(series).anyMatch(Series::isMeasured);
    return new Chart(
        id,
        title,
        measured ? summary : Chart.NOT_MEASURED,
        height,
        Axis.seconds(0, 1),
        left,
        right,
        List.of(series),
        List.of(),
        List.of());
  }

  /** A gauge in millionths: bytes as megabytes. */
  private Series gauge(String id, String label, String colour, Form form, String column) {
    return line(id, label, colour, gauges, largest(gauges, column, 1e6)).as(form);
  }

  private List<Double> millis(String column) {
    return largest(gauges, column, 1e6);
  }

  private Series line(
      String id, String label, String colour, Windows windows, List<Double> values) {
    return Series.of(
        id, label, colour, Form.LINE, windows == rates ? rateSeconds : gaugeSeconds, values);
  }

  private static List<Double> largest(Windows windows, String column, double unit) {
    return perWindow(
        windows,
        window -> {
          OptionalLong value = windows.largest(column, window);
          return value.isPresent() ? value.getAsLong() / unit : Double.NaN;
        });
  }

  private List<Double> perSecond(String column, double unit) {
    return perWindow(
        rates,
        window -> {
          OptionalDouble value = rates.perSecond(column, window);
          return value.isPresent() ? value.getAsDouble() / unit : Double.NaN;
        });
  }

  private static List<Double> perWindow(Windows windows, IntFunction<Double> of) {
    List<Double> values = new ArrayList<>();
    for (int window = 0; window < windows.size(); window++) {
      values.add(of.apply(window));
    }
    return values;
  }
}
