package io.weir.report.chart;

import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The scale of one side of a chart: values to places.
 *
 * @param unit of the values, or what they are
 * @param bound a linear scale reaches at least so far; a logarithmic one begins at the lowest here
 * @param headroom how many times the largest value a logarithmic scale reaches at least
 * @param low the value at its beginning; above 0 when it is logarithmic
 * @param high the value at its end, above {@code low}
 * @param named the values to label and their words; empty for round values
 */
public record Axis(
    String unit,
    Scale scale,
    double bound,
    double headroom,
    double low,
    double high,
    List<Tick> named) {

  /** How places follow from values. */
  public enum Scale {
    LINEAR,
    LOG,
    /** Linear in seconds since 1970, in UTC; labels are dates. */
    DAYS
  }

  /** A value with its label. */
  public record Tick(double value, String label) {}

  private static final double LEAST = 0.001;
  private static final double HEADROOM = 1.1;

  /** A logarithmic scale has some labels in any case. */
  private static final double LEAST_SPAN = 4;

  private static final int MOST_TICKS = 8;
  private static final int LEAST_STEPS = 2;

  private static final List<Integer> ROUND = List.of(1, 2, 5);
  private static final List<List<Integer>> STEPS =
      List.of(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), ROUND, List.of(1));

  /** Allows for rounding in a digit times a power of ten. */
  private static final double NEARLY = 1.000001;

  /** From 0; it reaches at least {@code reach}. */
  public static Axis linear(String unit, double reach) {
    return new Axis(unit, Scale.LINEAR, reach, 1, 0, reach > 0 ? reach : 1, List.of());
  }

  /** From {@code least} at the lowest. */
  public static Axis log(String unit, double least) {
    return new Axis(unit, Scale.LOG, least, HEADROOM, 1, 10, List.of());
  }

  /** A logarithmic one without bounds. */
  public static Axis log(String unit) {
    return log(unit, LEAST);
  }

  /** From {@code low} to {@code high}, with these labels. */
  public static Axis named(String unit, double low, double high, List<Tick> named) {
    return new Axis(unit, Scale.LINEAR, high, 1, low, high, named);
  }

  /** Seconds from {@code low} to {@code high}. */
  public static Axis seconds(double low, double high) {
    return new Axis("s", Scale.LINEAR, high, 1, low, high > low ? high : low + 1, List.of());
  }

  /** Days, in seconds since 1970. */
  public static Axis days(double low, double high) {
    return new Axis("", Scale.DAYS, high, 1, low, high > low ? high : low + 1, List.of());
  }

  /** This scale with room above the largest value. */
  Axis headroom(double times) {
    return new Axis(unit, scale, bound, times, low, high, named);
  }

  /**
   * This scale from and to round values, such that it holds {@code values}. A logarithmic one
   * cannot hold 0, which is drawn at its beginning.
   */
  public Axis around(List<Double> values) {
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    if (scale != Scale.LOG) {
      return between(0, Math.max(bound, roundTop(most)));
    }
    double least =
        values.stream().mapToDouble(Double::doubleValue).filter(v -> v > 0).min().orElse(1);
    double from = round(Math.max(bound, least / HEADROOM), false);
    return between(from, round(Math.max(from * LEAST_SPAN, most * headroom), true));
  }

  private Axis between(double from, double to) {
    return new Axis(unit, scale, bound, headroom, from, to, named);
  }

  /** Somewhat more than {@code value}, in halves of its power of ten. */
  private static double roundTop(double value) {
    if (!(value > 0)) {
      return 1;
    }
    double step = decade(value) / 2;
    return Math.ceil(value * 1.04 / step) * step;
  }

  /** 1, 2 or 5 times a power of ten, at or beside {@code value}. */
  private static double round(double value, boolean up) {
    double decade = decade(value);
    DoubleStream rounds = IntStream.of(1, 2, 5, 10).mapToDouble(digit -> digit * decade);
    return up
        ? rounds.filter(round -> round * NEARLY >= value).min().orElseThrow()
        : rounds.filter(round -> round <= value * NEARLY).max().orElse(decade);
  }

  private static double decade(double value) {
    return Math.pow(10, Math.floor(Math.log10(value)));
  }

  /** The place of {@code value}, from 0 at the beginning to 1 at the end; clamped to them. */
  public double share(double value) {
    double share =
        scale == Scale.LOG
            ? Math.log(Math.max(Double.MIN_VALUE, value) / low) / Math.log(high / low)
            : (value - low) / (high - low);
    return Math.clamp(share, 0, 1);
  }

  /** The values to label, few enough to be legible. */
  public List<Tick> ticks() {
    if (!named.isEmpty()) {
      return named;
    }
    List<Double> ticks = scale == Scale.LOG ? logTicks() : linearTicks();
    return ticks.stream().map(value -> new Tick(value, Figures.plain(value))).toList();
  }

  /** Nine, three or one in each decade. */
  private List<Double> logTicks() {
    List<Double> ticks = List.of();
    for (List<Integer> steps : STEPS) {
      ticks = new ArrayList<>();
      for (double decade = decade(low); decade <= high * NEARLY; decade *= 10) {
        for (int step : steps) {
          double tick = step * decade;
          if (tick * NEARLY >= low && tick <= high * NEARLY) {
            ticks.add(tick);
          }
        }
      }
      if (ticks.size() <= MOST_TICKS) {
        break;
      }
    }
    return ticks;
  }

  /** At 1, 2 or 5 times a power of ten. */
  private List<Double> linearTicks() {
    double decade = decade(high - low);
    double step =
        DoubleStream.of(5, 2, 1, 0.5)
            .map(size -> size * decade)
            .filter(size -> (high - low) / size >= LEAST_STEPS)
            .findFirst()
            .orElseThrow();
    List<Double> ticks = new ArrayList<>();
    for (int i = (int) Math.ceil(low / step); i * step <= high * NEARLY; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }
}
