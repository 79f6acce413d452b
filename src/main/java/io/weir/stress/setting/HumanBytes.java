package io.weir.stress.setting;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as people write them: {@code 1MiB}, {@code 1.5 GB}, {@code 512KiB}. kB, MB and GB are
 * powers of 1000, KiB, MiB and GiB of 1024.
 */
public final class HumanBytes {

  private static final Pattern SIZE =
      Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(B|[KMG]B|[KMG]IB)", Pattern.CASE_INSENSITIVE);

  private static final Map<String, Long> BYTES =
      Map.of(
          "B", 1L,
          "KB", 1000L,
          "MB", 1000_000L,
          "GB", 1000_000_000L,
          "KIB", 1L << 10,
          "MIB", 1L << 20,
          "GIB", 1L << 30);

  private HumanBytes() {}

  /** The bytes that {@code text} stands for, however many; null when it is no size. */
  public static BigDecimal parseOrNull(String text) {
    Matcher matcher = SIZE.matcher(text.trim());
    return matcher.matches()
        ? new BigDecimal(matcher.group(1))
            .multiply(BigDecimal.valueOf(BYTES.get(matcher.group(2).toUpperCase(Locale.ROOT))))
            .setScale(0, RoundingMode.HALF_UP)
        : null;
  }

  /**
   * A size, or {@code off}, which is 0.
   *
   * @param option whose value it is, for the message
   */
  public static long parseOrOff(String option, String text) {
    if (text.trim().equalsIgnoreCase("off")) {
      return 0;
    }
    BigDecimal bytes = parseOrNull(text);
    if (bytes == null || bytes.signum() == 0) {
      throw new IllegalArgumentException(
          option + " must be a size such as 1MiB or 512KiB, or off: " + text);
    }
    return bytes.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact();
  }
}
