package io.weir.option;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
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

  /** The bytes that {@code text} stands for, however many; empty when it is no size. */
  public static Optional<BigDecimal> parse(String text) {
    Objects.requireNonNull(text, "text");
    Matcher matcher = SIZE.matcher(text.trim());
    return matcher.matches()
        ? Optional.of(
            new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(BYTES.get(matcher.group(2).toUpperCase(Locale.ROOT))))
                .setScale(0, RoundingMode.HALF_UP))
        : Optional.empty();
  }

  /**
   * A size, or {@code off}, which is empty.
   *
   * @param option whose value it is, for the message
   */
  public static OptionalLong parseOrOff(String option, String text) {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(text, "text");
    if (text.trim().equalsIgnoreCase("off")) {
      return OptionalLong.empty();
    }
    BigDecimal bytes =
        parse(text)
            .filter(size -> size.signum() > 0)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        option + " must be a size such as 1MiB or 512KiB, or off: " + text));
    return OptionalLong.of(bytes.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact());
  }

  /** In the largest unit of 1024 that divides it: 1048576 is {@code 1MiB}. */
  public static String print(long bytes) {
    if (bytes % (1 << 20) == 0) {
      return bytes / (1 << 20) + "MiB";
    }
    return bytes % (1 << 10) == 0 ? bytes / (1 << 10) + "KiB" : bytes + "B";
  }
}
