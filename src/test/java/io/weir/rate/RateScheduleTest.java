package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.RateSchedule.Window;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateScheduleTest {

  private static final Rate SLOW = Rate.perSecond(1);
  private static final Rate MIDDLE = Rate.perSecond(2);
  private static final Rate FAST = Rate.perSecond(3);

  private static final RateSchedule SCHEDULE =
      new RateSchedule(
          List.of(
              new Window(
                  EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY),
                  LocalTime.of(9, 0),
                  LocalTime.of(17, 0),
                  SLOW),
              new Window(
                  EnumSet.of(DayOfWeek.FRIDAY), LocalTime.of(16, 0), LocalTime.of(2, 0), FAST)),
          MIDDLE);

  @ParameterizedTest
  @CsvSource({
    "2026-11-23T08:59:59.999, 2", // a Monday
    "2026-11-23T09:00, 1",
    "2026-11-23T16:59:59, 1",
    "2026-11-23T17:00, 2",
    "2026-11-27T16:30, 1", // Friday: the first window decides
    "2026-11-27T17:00, 3",
    "2026-11-28T01:59, 3", // Saturday: the window has begun on Friday
    "2026-11-28T02:00, 2",
    "2026-11-27T01:00, 2", // Friday: no window has begun on Thursday
  })
  void at(LocalDateTime time, long expected) {
    assertEquals(expected, SCHEDULE.at(time).bytesPerSecond());
  }

  @Test
  void window_fromMidnightToMidnight_isTheWholeDay() {
    RateSchedule sundays =
        new RateSchedule(
            List.of(
                new Window(
                    Set.of(DayOfWeek.SUNDAY), LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, Rate.PAUSED)),
            FAST);
    assertEquals(FAST, sundays.at(LocalDateTime.parse("2026-11-28T23:59:59")));
    assertEquals(Rate.PAUSED, sundays.at(LocalDateTime.parse("2026-11-29T00:00")));
    assertEquals(Rate.PAUSED, sundays.at(LocalDateTime.parse("2026-11-29T23:59:59")));
    assertEquals(FAST, sundays.at(LocalDateTime.parse("2026-11-30T00:00")));
  }

  @Test
  void window_withoutDays_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Window(Set.of(), LocalTime.MIDNIGHT, LocalTime.NOON, FAST));
  }
}
