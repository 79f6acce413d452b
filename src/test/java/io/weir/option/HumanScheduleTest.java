package io.weir.option;

import static java.time.DayOfWeek.FRIDAY;
import static java.time.DayOfWeek.MONDAY;
import static java.time.DayOfWeek.SATURDAY;
import static java.time.DayOfWeek.SUNDAY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.Rate;
import io.weir.rate.RateSchedule;
import io.weir.rate.RateSchedule.Window;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanScheduleTest {

  private static final Set<DayOfWeek> EVERY_DAY = EnumSet.allOf(DayOfWeek.class);

  @Test
  void parse_windowsAndElse() {
    assertEquals(
        new RateSchedule(
            List.of(
                new Window(
                    EnumSet.range(MONDAY, FRIDAY),
                    LocalTime.of(9, 0),
                    LocalTime.of(17, 30),
                    Rate.perSecond(10_000_000)),
                new Window(EVERY_DAY, LocalTime.of(22, 0), LocalTime.of(6, 0), Rate.UNLIMITED),
                new Window(
                    EnumSet.of(SATURDAY, SUNDAY),
                    LocalTime.MIDNIGHT,
                    LocalTime.MIDNIGHT,
                    Rate.PAUSED)),
            Rate.perSecond(40_000_000)),
        HumanSchedule.parse(
            "hours",
            "Mon-Fri 9:00-17:30 10MB/s; 22:00-06:00 off ;sat,sun 00:00-24:00 Paused; else 40MB/s"));
  }

  @Test
  void parseWindows_haveRatesOfAnotherKind_andNoElse() {
    List<Window> windows =
        HumanSchedule.parseWindows(
            "hours",
            "Mon 9:00-17:30 ten; 22:00-06:00  a lot ",
            "ten",
            (option, text) -> Rate.perSecond(text.length()));
    assertEquals(
        List.of(Rate.perSecond("ten".length()), Rate.perSecond("a lot".length())),
        windows.stream().map(Window::rate).toList());
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                HumanSchedule.parseWindows(
                    "hours", "9:00-17:00 1; else 2", "10MB/s", (option, text) -> Rate.UNLIMITED));
    assertEquals(
        "hours must be windows such as Mon-Fri 09:00-17:00 10MB/s, separated by semicolons:"
            + " 9:00-17:00 1; else 2",
        refused.getMessage());
  }

  @Test
  void parse_withoutElse_isUnlimitedAtOtherTimes() {
    assertEquals(Rate.UNLIMITED, HumanSchedule.parse("hours", "9:00-17:00 1MB/s").otherwise());
  }

  @Test
  void parse_daysAroundTheEndOfTheWeek() {
    assertEquals(
        EnumSet.of(SATURDAY, SUNDAY, MONDAY),
        HumanSchedule.parse("hours", "Sat-Monday 9:00-17:00 1MB/s").windows().getFirst().days());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "9-17 10MB/s | hours must be windows such as Mon-Fri 09:00-17:00 10MB/s, separated by"
            + " semicolons: 9-17 10MB/s",
        "25:00-26:00 off | hours must have times from 00:00 to 24:00: 25:00",
        "Mo-Fr 09:00-17:00 off | hours must have days such as Mon, Mon-Fri or Sat,Sun: Mo",
        "09:00-17:00 fast | hours must be a rate such as 10MB/s or 512KiB/s, or off: fast",
        "else off; 09:00-17:00 off | hours must end with its else: else off; 09:00-17:00 off",
      })
  void parse_somethingElse_isRefused(String text, String message) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> HumanSchedule.parse("hours", text))
            .getMessage());
  }
}
