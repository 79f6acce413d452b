package io.weir.option;

import io.weir.rate.Rate;
import io.weir.rate.RateSchedule;
import io.weir.rate.RateSchedule.Window;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Schedules of rates as people write them: {@code Mon-Fri 09:00-17:00 10MB/s; 22:00-06:00 off; else
 * 40MB/s}. The first window that contains a time decides. A window without days applies every day;
 * a window whose end is earlier than its start ends on the next day. A rate is one of {@link
 * HumanRate}, {@code off} for unlimited, or {@code paused}. Without {@code else} it is unlimited at
 * all other times.
 */
public final class HumanSchedule {

  private static final Pattern WINDOW =
      Pattern.compile("(?:([A-Za-z,-]+)\\s+)?(\\d{1,2}:\\d\\d)\\s*-\\s*(\\d{1,2}:\\d\\d)\\s+(.+)");

  private static final String EXAMPLE_RATE = "10MB/s";

  private static final Pattern OTHERWISE =
      Pattern.compile("else\\s+(.+)", Pattern.CASE_INSENSITIVE);

  private HumanSchedule() {}

  /**
   * Parses one.
   *
   * @param option whose value it is, for the message
   */
  public static RateSchedule parse(String option, String text) {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(text, "text");
    List<Window> windows = new ArrayList<>();
    Optional<Rate> otherwise = Optional.empty();
    for (String part : text.split(";")) {
      Matcher last = OTHERWISE.matcher(part.strip());
      if (otherwise.isPresent()) {
        throw new IllegalArgumentException(option + " must end with its else: " + text);
      } else if (last.matches()) {
        otherwise = Optional.of(rate(option, last.group(1).strip()));
      } else {
        windows.add(window(option, text, part, EXAMPLE_RATE, HumanSchedule::rate));
      }
    }
    return new RateSchedule(windows, otherwise.orElse(Rate.UNLIMITED));
  }

  /**
   * Parses the windows of one whose other hours have a rate of their own, so it has no {@code
   * else}.
   *
   * @param option whose value it is, for the message
   * @param exampleRate for the message: one that {@code rates} parses
   * @param rates parses the rate of a window; its arguments are the option and the text
   */
  public static List<Window> parseWindows(
      String option, String text, String exampleRate, BiFunction<String, String, Rate> rates) {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(exampleRate, "exampleRate");
    Objects.requireNonNull(rates, "rates");
    return Arrays.stream(text.split(";"))
        .map(part -> window(option, text, part, exampleRate, rates))
        .toList();
  }

  private static Window window(
      String option,
      String all,
      String part,
      String exampleRate,
      BiFunction<String, String, Rate> rates) {
    Matcher window = WINDOW.matcher(part.strip());
    if (!window.matches()) {
      throw new IllegalArgumentException(
          option
              + " must be windows such as Mon-Fri 09:00-17:00 "
              + exampleRate
              + ", separated by semicolons: "
              + all);
    }
    return new Window(
        days(option, Optional.ofNullable(window.group(1))),
        time(option, window.group(2)),
        time(option, window.group(3)),
        rates.apply(option, window.group(4).strip()));
  }

  private static Rate rate(String option, String text) {
    return text.equalsIgnoreCase("paused") ? Rate.PAUSED : HumanRate.parseOrOff(option, text);
  }

  private static LocalTime time(String option, String text) {
    try {
      return text.equals("24:00")
          ? LocalTime.MIDNIGHT
          : LocalTime.parse(text.length() == 4 ? "0" + text : text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          option + " must have times from 00:00 to 24:00: " + text, e);
    }
  }

  private static Set<DayOfWeek> days(String option, Optional<String> text) {
    if (text.isEmpty()) {
      return EnumSet.allOf(DayOfWeek.class);
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String range : text.get().split(",", -1)) {
      String[] ends = range.split("-", -1);
      DayOfWeek day = day(option, ends[0]);
      DayOfWeek last = day(option, ends[ends.length - 1]);
      days.add(day);
      while (day != last) {
        day = day.plus(1);
        days.add(day);
      }
    }
    return days;
  }

  private static DayOfWeek day(String option, String text) {
    String start = text.toUpperCase(Locale.ROOT);
    for (DayOfWeek day : DayOfWeek.values()) {
      if (start.length() >= 3 && day.name().startsWith(start)) {
        return day;
      }
    }
    throw new IllegalArgumentException(
        option + " must have days such as Mon, Mon-Fri or Sat,Sun: " + text);
  }
}
