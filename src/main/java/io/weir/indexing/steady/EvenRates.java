package io.weir.indexing.steady;

/**
 * A counter that was read at uneven times, as rates over even steps. Between two readings the
 * counter is taken to grow evenly.
 */
public final class EvenRates {

  private EvenRates() {}

  /**
   * The growth of a counter in each whole step, per second.
   *
   * @param nanos when the counter was read, ascending; at least one reading
   * @param totals what it was
   * @param stepNanos the length of a step; a rest at the end that is shorter is left out
   */
  public static double[] of(long[] nanos, long[] totals, long stepNanos) {
    int steps = (int) ((nanos[nanos.length - 1] - nanos[0]) / stepNanos);
    double[] rates = new double[steps];
    double before = totals[0];
    int reading = 0;
    for (int i = 0; i < steps; i++) {
      long at = nanos[0] + (i + 1) * stepNanos;
      while (nanos[reading + 1] < at) {
        reading++;
      }
      double part = (double) (at - nanos[reading]) / (nanos[reading + 1] - nanos[reading]);
      double total = totals[reading] + part * (totals[reading + 1] - totals[reading]);
      rates[i] = (total - before) * 1e9 / stepNanos;
      before = total;
    }
    return rates;
  }

  /** A rate of text in gigabytes an hour. */
  public static double toGigabytesPerHour(double bytesPerSecond) {
    return bytesPerSecond * 3600 / 1e9;
  }
}
