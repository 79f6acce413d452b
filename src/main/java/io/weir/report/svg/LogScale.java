package io.weir.report.svg;

import java.util.ArrayList;
import java.util.List;

/**
 * Values along a line, by their logarithm.
 *
 * @param low the value at its beginning, above 0
 * @param high the value at its end, above {@code low}
 * @param from the place of its beginning, in whatever the picture is measured in
 * @param to the place of its end, before or behind {@code from}
 */
public record LogScale(double low, double high, double from, double to) {

  private static final double LEAST_LOW = 0.001;
  private static final double MARGIN = 1.25;
  private static final int MOST_TICKS = 8;
  private static final List<Integer> ROUND = List.of(1, 2, 5);
  private static final List<List<Integer>> STEPS =
      List.of(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), ROUND, List.of(1));

  /** What a digit times a power of ten may be wrong by. */
  private static final double NEARLY = 1.000001;

  /** With room on both sides of the values, and at least twice as high as low. */
  static LogScale around(List<Double> values, double from, double to) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double low = Math.max(LEAST_LOW, least) / MARGIN;
    return new LogScale(low, Math.max(low * 2, most * MARGIN), from, to);
  }

  /**
   * From one round value to another, a 1, 2 or 5 and zeroes: the shortest that holds {@code least}
   * to {@code most} and at least one decade.
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

  /** The place of {@code value}, and never outside. */
  public double at(double value) {
    return from + (to - from) * Math.clamp(Math.log(value / low) / Math.log(high / low), 0, 1);
  }

  /** Values to name, so many that each can be read: of each decade nine, three or one. */
  List<Double> ticks() {
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
