package io.weir.stress.setting;

import io.weir.rate.Rate;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rates as people write them: {@code 10MB/s}, {@code 1.5 GiB/s}, {@code 512KiB/s}, with the units
 * of {@link HumanBytes}.
 */
public final class HumanRate {

  private static final Pattern RATE =
      Pattern.compile("(.*)/s\\s*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private HumanRate() {}

  /**
   * A rate or {@code off}, which is unlimited.
   *
   * @param option whose value it is, for the message
   */
  public static Rate parseOrOff(String option, String text) {
    return text.trim().equalsIgnoreCase("off")
        ? Rate.UNLIMITED
        : Rate.perSecond(parse(option, text, ", or off"));
  }

  /** A rate in bytes per second. */
  public static long parse(String option, String text) {
    return parse(option, text, "");
  }

  private static long parse(String option, String text, String orElse) {
    Matcher matcher = RATE.matcher(text);
    BigDecimal bytes = matcher.matches() ? HumanBytes.parseOrNull(matcher.group(1)) : null;
    if (bytes == null) {
      throw new IllegalArgumentException(
          option + " must be a rate such as 10MB/s or 512KiB/s" + orElse + ": " + text);
    }
    if (bytes.compareTo(BigDecimal.valueOf(Rate.MIN_BYTES_PER_SECOND)) < 0
        || bytes.compareTo(BigDecimal.valueOf(Rate.MAX_BYTES_PER_SECOND)) > 0) {
      throw new IllegalArgumentException(option + " must be from 1B/s to 16GiB/s: " + text);
    }
    return bytes.longValueExact();
  }
}
