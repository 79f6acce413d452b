package io.weir.option;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 10s}, {@code 500ms}, {@code 1.5m}, {@code 2h}. */
public final class HumanDuration {

  private static final Pattern DURATION =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ms|s|m|h)");

  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1000L, "m", 60_000L, "h", 3600_000L);

  private HumanDuration() {}

  /**
   * A duration, to the millisecond.
   *
   * @param option whose value it is, for the message
   */
  public static Duration parse(String option, String text) {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(text, "text");
    Matcher matcher = DURATION.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          option + " must be a duration such as 10s, 500ms or 2m: " + text);
    }
    return Duration.ofMillis(
        new BigDecimal(matcher.group(1))
            .multiply(BigDecimal.valueOf(MILLIS.get(matcher.group(2))))
            .longValue());
  }

  /** In seconds where there is no fraction of one, else in milliseconds. */
  public static String print(Duration time) {
    Objects.requireNonNull(time, "time");
    long millis = time.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
