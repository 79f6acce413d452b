package io.weir.stress.arm.load;

import java.math.BigDecimal;

/**
 * The rate at which a load is to run, in the terms of the option that sets it.
 *
 * @param what the operations: {@code updates}, {@code commits}
 * @param times how many in one {@code unit}; 0 for none
 * @param atOnce how many of them one call of the load does
 */
public record TargetRate(String what, double times, Unit unit, int atOnce) {

  /** The time that a rate counts over. */
  enum Unit {
    SECOND("second", 1),
    MINUTE("minute", 60);

    private final String word;
    private final double seconds;

    Unit(String word, double seconds) {
      this.word = word;
      this.seconds = seconds;
    }
  }

  public static TargetRate perSecond(String what, double times) {
    return new TargetRate(what, times, Unit.SECOND, 1);
  }

  public static TargetRate perMinute(String what, double times) {
    return new TargetRate(what, times, Unit.MINUTE, 1);
  }

  /** The same rate, done in bulks. */
  public TargetRate inBulksOf(int newAtOnce) {
    return new TargetRate(what, times, unit, newAtOnce);
  }

  /** How many calls of the load there are in a second. */
  public double callsPerSecond() {
    return perSecond() / atOnce;
  }

  double perSecond() {
    return times / unit.seconds;
  }

  /** Whether there are any operations. */
  public boolean isAny() {
    return times > 0;
  }

  /** {@code --commits-per-minute}. */
  public String option() {
    return "--" + what + "-per-" + unit.word;
  }

  /** {@code 6 commits per minute}. */
  @Override
  public String toString() {
    return "%s %s per %s"
        .formatted(BigDecimal.valueOf(times).stripTrailingZeros().toPlainString(), what, unit.word);
  }
}
