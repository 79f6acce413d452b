package io.weir.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Values along a line of pixels by their logarithm.
 *
 * @param least the value at {@code from}; above 0
 * @param most the value at {@code to}
 */
record LogAxis(double least, double most, double from, double to) {

  private static final double SMALLEST = 0.01;
  private static final double MARGIN = 1.25;
  private static final int MOST_TICKS = 8;
  private static final List<List<Integer>> STEPS =
      List.of(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), List.of(1, 2, 5), List.of(1));

  /** With room on both sides of the values. */
  static LogAxis around(List<Double> values, double from, double to) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double low = Math.max(SMALLEST, least) / MARGIN;
    return new LogAxis(low, Math.max(low * 2, most * MARGIN), from, to);
  }

  double at(double value) {
    double share = Math.log(Math.max(value, least) / least) / Math.log(most / least);
    return from + (to - from) * Math.min(1, share);
  }

  /** Round values at which a line helps the eye: as many as fit. */
  List<Double> ticks() {
    List<Double> ticks = List.of();
    for (List<Integer> steps : STEPS) {
      ticks = new ArrayList<>();
      for (int power = (int) Math.floor(Math.log10(least)); Math.pow(10, power) <= most; power++) {
        for (int step : steps) {
          double tick = step * Math.pow(10, power);
          if (tick >= least && tick <= most) {
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
