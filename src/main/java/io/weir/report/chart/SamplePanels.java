package io.weir.report.chart;

import io.weir.report.chart.Panel.Kind;
import io.weir.report.model.Samples;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * Makes the charts of the sampler's values. Gauges are drawn sample by sample, rates over windows
 * of at least {@value #RATE_WINDOW_NANOS} ns. A very long arm has wider windows, which keep every
 * peak.
 */
final class SamplePanels {
  /** Shorter windows show the sampler's jitter, longer ones hide the pauses of a merge. */
  static final long RATE_WINDOW_NANOS = 700_000_000L;

  private final Samples samples;
  private final Windows gauges;
  private final Windows rates;

  /**
   * @param limit the most windows a chart may have
   */
  SamplePanels(Samples samples, int limit) {
    this.samples = samples;
    int rows = samples.size();
    long spanNanos = rows == 0 ? 0 : samples.timeNanos(rows - 1) - samples.timeNanos(0);
    long leastNanos = rows <= limit ? 0 : spanNanos / limit + 1;
    this.gauges = new Windows(samples, leastNanos);
    this.rates = new Windows(samples, Math.max(leastNanos, RATE_WINDOW_NANOS));
  }

  List<Panel> all(DirtyView view) {
    return List.of(searches(), dirty(view), merge(), pressure(), memory());
  }

  private Panel searches() {
    List<Double> rate = perSecond("searches", 1);
    List<Double> slowest = largest(rates, "search_max_nanos", 1e6);
    Panel panel = new Panel(Kind.SEARCHES, "", ends(rates), List.of(rate, slowest));
    String text = "On average " + Figures.brief(panel.mean(0)) + " searches/s";
    if (slowest.stream().anyMatch(value -> !value.isNaN())) {
      text +=
          "; the slowest took %s ms, at %s"
              .formatted(
                  Figures.brief(panel.largest(1)), Figures.seconds(panel.secondsOfLargest(1)));
    }
    return summarised(panel, text);
  }

  private Panel dirty(DirtyView view) {
    List<Double> none = ends(gauges).stream().map(unused -> Double.NaN).toList();
    Panel panel =
        new Panel(
            Kind.DIRTY,
            "",
            ends(gauges),
            List.of(
                largest(gauges, "dirty_bytes", 1e6),
                largest(gauges, "writeback_bytes", 1e6),
                view.showsBackground()
                    ? largest(gauges, "dirty_background_threshold_bytes", 1e6)
                    : none,
                view.showsThreshold() ? largest(gauges, "dirty_threshold_bytes", 1e6) : none));
    String text = "Peak " + Figures.bytes(panel.largest(0) * 1e6) + " dirty";
    if (Double.isFinite(panel.largest(1))) {
      text += ", " + Figures.bytes(panel.largest(1) * 1e6) + " under writeback";
    }
    return summarised(panel, text + view.note(samples));
  }

  private Panel merge() {
    List<Double> rate = perSecond("merge_written_bytes", 1e6);
    List<Double> cap = largest(rates, "cap_bytes_per_second", 1e6);
    List<Double> paused = perSecond("paused_nanos", 1e7);
    Panel panel = new Panel(Kind.MERGE, "", ends(rates), List.of(rate, cap, paused));
    String text = "Up to %s MB/s".formatted(Figures.brief(panel.largest(0)));
    text +=
        Double.isFinite(panel.largest(1))
            ? "; cap %s MB/s".formatted(Figures.brief(panel.largest(1)))
            : "; no cap";
    if (panel.largest(2) > 0) {
      text +=
          "; one merge thread's time paused: up to %s %%"
              .formatted(Figures.brief(panel.largest(2)));
    }
    return summarised(panel, text);
  }

  /** What the latency goal of the arm saw and did; not measured without one. */
  Panel goal() {
    Panel panel =
        new Panel(
            Kind.GOAL,
            "",
            ends(gauges),
            List.of(
                largest(gauges, "goal_seen_nanos", 1e6),
                largest(gauges, "goal_limit_nanos", 1e6),
                ofGoal(largest(gauges, "cap_bytes_per_second", 1e6)),
                largest(gauges, "goal_floor_bytes_per_second", 1e6)));
    return summarised(
        panel,
        "The limit is %s ms, the latency seen was %s ms at most; the rate from %s to %s MB/s"
            .formatted(
                Figures.brief(panel.largest(1)),
                Figures.brief(panel.largest(0)),
                Figures.brief(panel.least(2)),
                Figures.brief(panel.largest(2))));
  }

  /** The cap is the goal's only where there is one. */
  private List<Double> ofGoal(List<Double> cap) {
    return samples.has("goal_limit_nanos") ? cap : cap.stream().map(unused -> Double.NaN).toList();
  }

  private Panel pressure() {
    List<Double> some = perSecond("pressure_some_micros", 1e4);
    List<Double> full = perSecond("pressure_full_micros", 1e4);
    Panel panel = new Panel(Kind.PRESSURE, "", ends(rates), List.of(some, full));
    return summarised(
        panel,
        "At least one task waited for the disk %s %% of the time, at worst %s %%"
            .formatted(Figures.brief(panel.mean(0)), Figures.brief(panel.largest(0))));
  }

  private Panel memory() {
    List<Double> resident = largest(gauges, "rss_bytes", 1e6);
    List<Double> committed = largest(gauges, "heap_committed_bytes", 1e6);
    List<Double> used = largest(gauges, "heap_used_bytes", 1e6);
    List<Double> collections = new ArrayList<>();
    for (int window = 0; window < gauges.size(); window++) {
      OptionalLong growth = gauges.growth("gc_count", window);
      collections.add(
          growth.isPresent() && growth.getAsLong() > 0 ? growth.getAsLong() : Double.NaN);
    }
    Panel panel =
        new Panel(Kind.MEMORY, "", ends(gauges), List.of(resident, committed, used, collections));
    List<String> peaks = new ArrayList<>();
    addPeak(peaks, panel, 2, "heap used");
    addPeak(peaks, panel, 1, "heap committed");
    addPeak(peaks, panel, 0, "resident");
    long count = Math.round(collections.stream().filter(c -> !c.isNaN()).mapToDouble(c -> c).sum());
    String text = "Peak " + String.join(", ", peaks);
    return summarised(
        panel, samples.has("gc_count") ? text + "; " + Figures.count(count, "collection") : text);
  }

  private static void addPeak(List<String> peaks, Panel panel, int series, String what) {
    if (Double.isFinite(panel.largest(series))) {
      peaks.add(Figures.bytes(panel.largest(series) * 1e6) + " " + what);
    }
  }

  private static Panel summarised(Panel panel, String text) {
    return new Panel(
        panel.kind(),
        panel.measured() ? text : Panel.NOT_MEASURED,
        panel.xSeconds(),
        panel.columns());
  }

  private static List<Double> ends(Windows windows) {
    return perWindow(windows, windows::endSeconds);
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
