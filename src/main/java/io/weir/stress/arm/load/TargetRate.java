package io.weir.stress.arm.load;

import io.weir.stress.setting.LoadRate;

/**
 * The rate at which a load is to run, in the terms of the option that sets it.
 *
 * @param what the operations: {@code updates}, {@code commits}
 * @param times how many in one {@code unit}
 * @param atOnce how many of them one call of the load does
 */
public record TargetRate(String what, LoadRate times, Unit unit, int atOnce) {

  private static final double NANOS_PER_SECOND = 1e9;

  /** The time that a rate counts over. */
  enum Unit {
    SECOND("second", 1_000_000_000L),
    MINUTE("minute", 60_000_000_000L);

    private final String word;
    private final long nanos;

    Unit(String word, long nanos) {
      this.word = word;
      this.nanos = nanos;
    }
  }

  public static TargetRate perSecond(String what, LoadRate times) {
    return new TargetRate(what, times, Unit.SECOND, 1);
  }

  public static TargetRate perMinute(String what, LoadRate times) {
    return new TargetRate(what, times, Unit.MINUTE, 1);
  }

  /** The same rate, done in bulks. */
  public TargetRate inBulksOf(int newAtOnce) {
    return new TargetRate(what, times, unit, newAtOnce);
  }

  /** The calls of the load. */
  LoadCurve calls() {
    return new LoadCurve(times, unit.nanos * atOnce);
  }

  /**
   * The mean number of operations per second in a part of the load.
   *
   * @param fromNanos since the load began; likewise {@code toNanos}
   */
  double perSecond(long fromNanos, long toNanos) {
    if (times.held().isEmpty() || toNanos <= fromNanos) {
      return times.mean() / (unit.nanos / NANOS_PER_SECOND);
    }
    LoadCurve operations = new LoadCurve(times, unit.nanos);
    return (operations.operationsBy(toNanos) - operations.operationsBy(fromNanos))
        * NANOS_PER_SECOND
        / (toNanos - fromNanos);
  }

  /** Whether there are any operations. */
  public boolean isAny() {
    return times.isAny();
  }

  /** {@code --commits-per-minute}. */
  public String option() {
    return "--" + what + "-per-" + unit.word;
  }

  /** {@code 6 commits per minute}. */
  @Override
  public String toString() {
    return times.inWords(what + " per " + unit.word);
  }
}
