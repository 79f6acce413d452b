package io.weir.report.svg;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic scale: values to places on a line.
 *
 * @param low the value at its beginning, above 0
 * @param high the value at its end, above {@code low}
 * @param from the place of its beginning, in the unit of the picture
 * @param to the place of its end; may be less than {@code from}
 */
public record LogScale(double low, double high, double from, double to) {

  private static final double LEAST_LOW = 0.001;
  private static final double MARGIN = 1.25;
  private static final int MOST_TICKS = 8;
  private static final List<Integer> ROUND = List.of(1, 2, 5);
  private static final List<List<Integer>> STEPS =
      List.of(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), ROUND, List.of(1));

  /** Allows for rounding in a digit times a power of ten. */
  private static final double NEARLY = 1.000001;

  /** Leaves room on both sides of the values; {@code high} is at least twice {@code low}. */
  static LogScale around(List<Double> values, double from, double to) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double low = Math.max(LEAST_LOW, least) / MARGIN;
    return new LogScale(low, Math.max(low * 2, most * MARGIN), from, to);
  }

  /**
   * The shortest scale between round values (1, 2 or 5 times a power of ten) that holds {@code
   * least} to {@code most} and at least one decade.
   */
  public static LogScale round(double least, double most, double from, double to) {
    double low = roundDown(Math.max(LEAST_LOW, least));
    return new LogScale(low, roundUp(Math.max(low * 10, most)), from, to);
  }

  private static double roundDown(double value) {
    double decade = decade(value);
    return ROUND.stream()
        .mapToDouble(digit -> digit * decade)
        .filter(round -> round <= value * NEARLY)
        .max()
        .orElse(decade);
  }

  private static double roundUp(double value) {
    double decade = decade(value);
    return ROUND.stream()
        .mapToDouble(digit -> digit * decade)
        .filter(round -> round * NEARLY >= value)
        .min()
        .orElse(10 * decade);
  }

  private static double decade(double value) {
    return Math.pow(10, Math.floor(Math.log10(value)));
  }

  /** The place of {@code value}, clamped to the scale. */
  public double at(double value) {
    return from + (to - from) * Math.clamp(Math.log(value / low) / Math.log(high / low), 0, 1);
  }

  /** The values to label, few enough to be legible: nine, three or one in each decade. */
  public List<Double> ticks() {
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
}
