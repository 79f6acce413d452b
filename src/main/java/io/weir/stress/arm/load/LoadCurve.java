package io.weir.stress.arm.load;

import io.weir.stress.setting.LoadRate;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/**
 * How many operations a {@link LoadRate} has called for as the load goes on: the integral of the
 * rate over time, and its inverse.
 *
 * <p>Both directions count whole cycles and the rest of one, and levels count as they are written,
 * so errors of rounding do not add up.
 *
 * <p><b>Units:</b> nanoseconds since the load began. <b>Threads:</b> immutable.
 */
final class LoadCurve {

  private final double unitNanos;
  private final double heldNanos;
  private final double[] levels;

  /** By the end of each level of a cycle: operations, multiplied by {@link #unitNanos}. */
  private final double[] ends;

  /**
   * The curve of a rate.
   *
   * @param unitNanos the time in which a level has its number of operations
   */
  LoadCurve(LoadRate rate, long unitNanos) {
    this.unitNanos = unitNanos;
    this.heldNanos = rate.held().map(Duration::toNanos).orElse(unitNanos);
    List<Double> all = rate.levels();
    this.levels = all.stream().mapToDouble(Double::doubleValue).toArray();
    this.ends = new double[levels.length];
    BigDecimal end = BigDecimal.ZERO; // as written: 0.7 times 10 is not 7 in binary
    for (int i = 0; i < ends.length; i++) {
      end = end.add(BigDecimal.valueOf(levels[i]).multiply(BigDecimal.valueOf(heldNanos)));
      ends[i] = end.doubleValue();
    }
  }

  /** When so many operations are due: the first time by which they are; infinite at a rate of 0. */
  double nanosUntil(double operations) {
    double wanted = operations * unitNanos;
    double whole = ends[ends.length - 1];
    if (whole == 0) {
      return Double.POSITIVE_INFINITY;
    }
    double cycles = Math.max(0, Math.ceil(wanted / whole) - 1);
    double rest = Math.max(0, wanted - cycles * whole);
    double cycleNanos = cycles * levels.length * heldNanos;
    int last = 0;
    for (int i = 0; i < levels.length; i++) {
      double begun = i == 0 ? 0 : ends[i - 1];
      if (levels[i] > 0) {
        if (rest <= ends[i]) {
          return cycleNanos + i * heldNanos + (rest - begun) / levels[i];
        }
        last = i;
      }
    }
    return cycleNanos + (last + 1) * heldNanos; // the division was rounded at the cycle's end
  }

  /** How many operations are due by then; a part of one counts as that part. */
  double operationsBy(double nanos) {
    double cycleNanos = levels.length * heldNanos;
    double cycles = Math.floor(nanos / cycleNanos);
    double restNanos = nanos - cycles * cycleNanos;
    int at = (int) Math.min(levels.length - 1, Math.floor(restNanos / heldNanos));
    double begun = at == 0 ? 0 : ends[at - 1];
    double rest = begun + (restNanos - at * heldNanos) * levels[at];
    return (cycles * ends[ends.length - 1] + rest) / unitNanos;
  }
}
