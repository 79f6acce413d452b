package io.weir.control;

/**
 * How much the operations of a second differ from what is expected, as the ratio of variance to
 * mean: 1 for operations that come one by one at random, more where they come in groups. A disk
 * gets what merges write in groups, since the kernel writes out many pages at once.
 *
 * <p>It is an average in which the last ten seconds or so count most. A second counts little by
 * itself, however far it is off: it may be a change and not chance.
 *
 * <p><b>Units:</b> operations, nanoseconds of one clock. <b>Threads:</b> one at a time.
 */
final class OperationsDispersion {

  private static final long SAMPLE_NANOS = 1_000_000_000;
  private static final double SAMPLES = 10;
  private static final double MOST_OFF = 2.8;
  private static final double LEAST = 1;
  private static final double MOST = 4;

  private double mean; // of the samples, each in units of its expected standard deviation
  private double square = LEAST;
  private long nanos; // of the sample that is taken, and so below
  private long operations;
  private double expected;

  /** Takes a tick in. */
  void add(long elapsedNanos, long newOperations, double newExpected) {
    nanos += elapsedNanos;
    operations += newOperations;
    expected += newExpected;
    if (nanos < SAMPLE_NANOS) {
      return;
    }
    if (expected >= 1) {
      double off = Math.clamp((operations - expected) / Math.sqrt(expected), -MOST_OFF, MOST_OFF);
      mean += (off - mean) / SAMPLES;
      square += (off * off - square) / SAMPLES;
    }
    startSample();
  }

  /** What was expected does not hold any more: the sample that is taken does not count. */
  void startSample() {
    nanos = 0;
    operations = 0;
    expected = 0;
  }

  /** Variance by mean, from 1 to 4. */
  double ratio() {
    return Math.clamp(square - mean * mean, LEAST, MOST);
  }
}
