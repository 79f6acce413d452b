package io.weir.rate;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Which rate holds at which time of the week: quiet hours.
 *
 * <p><b>Units:</b> local time; the caller chooses the zone. When clocks change, the hours follow
 * the clock on the wall.
 *
 * @param windows the first one that contains a time decides
 * @param otherwise the rate at all other times
 */
public record RateSchedule(List<Window> windows, Rate otherwise) {

  /**
   * A part of certain days.
   *
   * @param days on which it begins
   * @param from included
   * @param to excluded; at or before {@code from}, it is on the next day
   */
  public record Window(Set<DayOfWeek> days, LocalTime from, LocalTime to, Rate rate) {

    /** Refuses a window without days. */
    public Window {
      Objects.requireNonNull(days, "days");
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(rate, "rate");
      Objects.requireNonNull(to, "to");
      if (days.isEmpty()) {
        throw new IllegalArgumentException("a window must have at least one day");
      }
      days = Set.copyOf(EnumSet.copyOf(days));
      Objects.requireNonNull(rate, "rate");
    }

    boolean contains(LocalDateTime time) {
      LocalTime clock = time.toLocalTime();
      boolean overnight = !from.isBefore(to);
      boolean today = !clock.isBefore(from) && (overnight || clock.isBefore(to));
      boolean sinceYesterday = overnight && clock.isBefore(to);
      return today && days.contains(time.getDayOfWeek())
          || sinceYesterday && days.contains(time.getDayOfWeek().minus(1));
    }
  }

  /** Keeps a copy. */
  public RateSchedule {
    Objects.requireNonNull(windows, "windows");
    windows = List.copyOf(windows);
    Objects.requireNonNull(otherwise, "otherwise");
  }

  /** The rate at a time. */
  public Rate at(LocalDateTime time) {
    Objects.requireNonNull(time, "time");
    return windows.stream()
        .filter(window -> window.contains(time))
        .map(Window::rate)
        .findFirst()
        .orElse(otherwise);
  }
}
