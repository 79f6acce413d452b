package io.weir.report.svg;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a chart stands and what it shows.
 *
 * @param end of the time axis, in seconds
 * @param most the largest value of the row
 * @param log whether values stand by their logarithm, from 1 on
 */
record ChartFrame(int x, int y, int width, int height, double end, double most, boolean log) {

  private static final double LOG_HEADROOM = 2;
  private static final double HEADROOM = 1.05;
  private static final int TICKS = 4;

  double x(double seconds) {
    return x + width * Math.clamp(seconds / end, 0, 1);
  }

  double y(double value) {
    double share =
        log
            ? Math.log10(Math.max(1, value)) / Math.log10(Math.max(10, most * LOG_HEADROOM))
            : value / (most * HEADROOM);
    return y + height * (1 - Math.clamp(share, 0, 1));
  }

  /** Values at which a line helps the eye. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (log) {
      for (double tick = 1; tick <= most * LOG_HEADROOM; tick *= 10) {
        ticks.add(tick);
      }
      return ticks;
    }
    double step = Math.pow(10, Math.floor(Math.log10(most)));
    while (most / step < TICKS) {
      step /= 2;
    }
    while (most / step > 2 * TICKS) {
      step *= 2;
    }
    for (double tick = 0; tick <= most; tick += step) {
      ticks.add(tick);
    }
    return ticks;
  }
}
