package io.weir.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis from one round value to another: a 1, 2 or 5 and zeroes.
 *
 * @param low at its beginning, above 0
 * @param high at its end
 */
record LogScale(double low, double high) {

  private static final double[] ROUND = {1, 2, 5};
  private static final double FEW_DECADES = 2.05;

  /** The shortest that holds {@code least} to {@code most}; of at least one decade. */
  static LogScale of(double least, double most) {
    double low = down(Math.max(least, 1e-3));
    double high = -1;
    for (double tick = Math.pow(10, Math.floor(Math.log10(low))); high < 0; tick *= 10) {
      for (double round : ROUND) {
        if (high < 0 && tick * round >= most && tick * round >= low * 10) {
          high = tick * round;
        }
      }
    }
    return new LogScale(low, high);
  }

  private static double down(double value) {
    double decade = Math.pow(10, Math.floor(Math.log10(value)));
    double down = decade;
    for (double round : ROUND) {
      down = decade * round <= value * 1.000001 ? decade * round : down;
    }
    return down;
  }

  /** Where {@code value} stands: 0 at the beginning, 1 at the end, and never outside. */
  double share(double value) {
    return Math.clamp(Math.log(value / low) / Math.log(high / low), 0, 1);
  }

  /** Values to name: all the round ones, of many decades only their first. */
  List<Double> ticks() {
    boolean few = Math.log10(high / low) <= FEW_DECADES;
    List<Double> ticks = new ArrayList<>();
    for (double decade = Math.pow(10, Math.floor(Math.log10(low)));
        decade <= high * 1.000001;
        decade *= 10) {
      for (double round : ROUND) {
        double tick = decade * round;
        if (tick >= low * 0.999999 && tick <= high * 1.000001 && (few || round == 1)) {
          ticks.add(tick);
        }
      }
    }
    return ticks;
  }
}
