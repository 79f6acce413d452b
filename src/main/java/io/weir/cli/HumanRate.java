package io.weir.cli;

import io.weir.rate.Rate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rates as people write them: {@code 10MB/s}, {@code 1.5 GiB/s}, {@code 512KiB/s}. kB, MB and GB
 * are powers of 1000, KiB, MiB and GiB of 1024.
 */
final class HumanRate {

  private static final Pattern RATE =
      Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(B|[KMG]B|[KMG]IB)/S", Pattern.CASE_INSENSITIVE);

  private static final Map<String, Long> BYTES =
      Map.of(
          "B", 1L,
          "KB", 1000L,
          "MB", 1000_000L,
          "GB", 1000_000_000L,
          "KIB", 1L << 10,
          "MIB", 1L << 20,
          "GIB", 1L << 30);

  private HumanRate() {}

  /**
   * A rate or {@code off}, which is unlimited.
   *
   * @param option whose value it is, for the message
   */
  static Rate parseOrOff(String option, String text) {
    return text.trim().equalsIgnoreCase("off")
        ? Rate.UNLIMITED
        : Rate.perSecond(parse(option, text, ", or off"));
  }

  /** A rate in bytes per second. */
  static long parse(String option, String text) {
    return parse(option, text, "");
  }

  private static long parse(String option, String text, String orElse) {
    Matcher matcher = RATE.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          option + " must be a rate such as 10MB/s or 512KiB/s" + orElse + ": " + text);
    }
    BigDecimal bytes =
        new BigDecimal(matcher.group(1))
            .multiply(BigDecimal.valueOf(BYTES.get(matcher.group(2).toUpperCase(Locale.ROOT))))
            .setScale(0, RoundingMode.HALF_UP);
    if (bytes.compareTo(BigDecimal.valueOf(Rate.MIN_BYTES_PER_SECOND)) < 0
        || bytes.compareTo(BigDecimal.valueOf(Rate.MAX_BYTES_PER_SECOND)) > 0) {
      throw new IllegalArgumentException(option + " must be from 1B/s to 16GiB/s: " + text);
    }
    return bytes.longValueExact();
  }
}
