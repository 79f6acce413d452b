package io.weir.report.svg;

import java.util.ArrayList;
import java.util.List;

/**
 * The scales of one row of charts: seconds to the right, a value upwards, linear or logarithmic.
 *
 * @param height in pixels
 * @param end the last second
 * @param most the largest value
 * @param log whether the value is on a logarithmic scale, from 1
 */
record ChartFrame(int height, double end, double most, boolean log) {

  private static final double LOG_HEADROOM = 4;
  private static final double HEADROOM = 1.05;
  private static final int TICKS = 2;

  /** How far to the right, in per cent of the width. */
  double percent(double seconds) {
    return 100 * Math.clamp(seconds / end, 0, 1);
  }

  /** How far down, in pixels. */
  double y(double value) {
    double share =
        log
            ? Math.log10(Math.max(1, value)) / Math.log10(Math.max(10, most * LOG_HEADROOM))
            : value / (most * HEADROOM);
    return height * (1 - Math.clamp(share, 0, 1));
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
