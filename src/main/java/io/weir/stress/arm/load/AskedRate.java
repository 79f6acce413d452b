package io.weir.stress.arm.load;

import java.math.BigDecimal;

/**
 * How often the operation of a load is asked for, in the words of the option that asks for it.
 *
 * @param what the operations: {@code updates}, {@code commits}
 * @param times how many of them in one {@code unit}; 0 for none
 */
public record AskedRate(String what, double times, Unit unit) {

  /** What a rate is counted over. */
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

  public static AskedRate perSecond(String what, double times) {
    return new AskedRate(what, times, Unit.SECOND);
  }

  public static AskedRate perMinute(String what, double times) {
    return new AskedRate(what, times, Unit.MINUTE);
  }

  double perSecond() {
    return times / unit.seconds;
  }

  /** Whether any is asked for. */
  boolean isAny() {
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
