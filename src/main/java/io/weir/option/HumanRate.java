package io.weir.option;

import io.weir.rate.Rate;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;
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
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(text, "text");
    return text.trim().equalsIgnoreCase("off")
        ? Rate.UNLIMITED
        : Rate.perSecond(parse(option, text, ", or off"));
  }

  /** A rate in bytes per second. */
  public static long parse(String option, String text) {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(text, "text");
    return parse(option, text, "");
  }

  /** In the largest unit of 1000 that divides it: 10000000 is {@code 10MB/s}. */
  public static String print(Rate rate) {
    Objects.requireNonNull(rate, "rate");
    long bytes = rate.bytesPerSecond();
    if (bytes % 1_000_000 == 0) {
      return bytes / 1_000_000 + "MB/s";
    }
    return bytes % 1000 == 0 ? bytes / 1000 + "kB/s" : bytes + "B/s";
  }

  private static long parse(String option, String text, String orElse) {
    BigDecimal bytes =
        Optional.of(RATE.matcher(text))
            .filter(Matcher::matches)
            .flatMap(matcher -> HumanBytes.parse(matcher.group(1)))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        option
                            + " must be a rate such as 10MB/s or 512KiB/s"
                            + orElse
                            + ": "
                            + text));
    if (bytes.compareTo(BigDecimal.valueOf(Rate.MIN_BYTES_PER_SECOND)) < 0
        || bytes.compareTo(BigDecimal.valueOf(Rate.MAX_BYTES_PER_SECOND)) > 0) {
      throw new IllegalArgumentException(option + " must be from 1B/s to 16GiB/s: " + text);
    }
    return bytes.longValueExact();
  }
}
