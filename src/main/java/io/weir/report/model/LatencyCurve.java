package io.weir.report.model;

import io.weir.run.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The distribution of the latencies of one arm during the merge, all rounds together.
 *
 * <p><b>Units:</b> nanoseconds; three significant digits, but the largest is exact. A percentile is
 * defined as in {@code run.json}: the smallest value that at least so many values do not exceed.
 *
 * @param arm its name
 * @param nanos the values
 * @param maxNanos the largest
 */
public record LatencyCurve(String arm, Histogram nanos, long maxNanos) {

  /**
   * One height of the curve.
   *
   * @param fromCount how many values are lower
   */
  public record Step(long fromCount, double millis) {}

  public long count() {
    return nanos.getTotalCount();
  }

  /** Whether there are enough values for {@code percentile}: at most 1 - 1/count. */
  public boolean has(double percentile) {
    return (100 - percentile) * count() >= 100 - 1e-6;
  }

  /** Whether a table may name it: as {@link LatencySummary} says, from the 90th on. */
  public boolean isNamed(double percentile) {
    return percentile < 90 ? has(percentile) : count() >= LatencySummary.leastFor(percentile);
  }

  public double millisAt(double percentile) {
    return millis(nanos.getValueAtPercentile(percentile));
  }

  public double maxMillis() {
    return millis(maxNanos);
  }

  /** From the fastest to the slowest. */
  public List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (HistogramIterationValue value : nanos.recordedValues()) {
      steps.add(
          new Step(
              value.getTotalCountToThisValue() - value.getCountAtValueIteratedTo(),
              millis(value.getValueIteratedTo())));
    }
    return steps;
  }

  // A bucket's upper edge may lie above the largest value.
  private double millis(long value) {
    return Math.round(Math.min(maxNanos, value) / 1e3) / 1e3;
  }
}
