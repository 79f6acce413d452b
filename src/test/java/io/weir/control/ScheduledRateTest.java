package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.option.HumanSchedule;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.rate.RateSchedule;
import io.weir.stress.Await;
import io.weir.time.NanoClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScheduledRateTest {

  private static final RateSchedule HOURS =
      HumanSchedule.parse("hours", "09:00-17:00 paused; else 40MB/s");

  /** The hour on the wall, as a test sets it. */
  private static final class Wall extends Clock {

    volatile Instant now = Instant.parse("2026-11-23T08:59:59Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  /** On real seconds, of which it needs two. */
  @Test
  void rate_changesWithTheHour_andLeavesOthersAloneInBetween() {
    Wall wall = new Wall();
    ByteBudget budget = ByteBudget.unlimited();
    try (ScheduledRate scheduled =
        ScheduledRate.begin(HOURS, wall, NanoClock.SYSTEM, budget::setRate)) {
      assertEquals(Rate.perSecond(40_000_000), budget.rate());

      wall.now = wall.now.plus(Duration.ofSeconds(1));
      Await.until("it is nine", () -> scheduled.rate().equals(Rate.PAUSED)); // after it is set
      assertEquals(Rate.PAUSED, budget.rate());

      budget.setRate(Rate.perSecond(5)); // an operator needs a merge now
      wall.now = wall.now.plus(Duration.ofHours(8));
      Await.until("it is five", () -> budget.rate().equals(Rate.perSecond(40_000_000)));
    }
    wall.now = wall.now.plus(Duration.ofHours(16));
    assertEquals(Rate.perSecond(40_000_000), budget.rate());
  }

  @Test
  void setSchedule_setsItsRateAtOnce_alsoTheSameOverOneSetByHand() {
    Wall wall = new Wall();
    ByteBudget budget = ByteBudget.unlimited();
    try (ScheduledRate scheduled =
        ScheduledRate.begin(HOURS, wall, NanoClock.SYSTEM, budget::setRate)) {
      budget.setRate(Rate.perSecond(5));
      scheduled.setSchedule(HOURS);
      assertEquals(Rate.perSecond(40_000_000), budget.rate());

      scheduled.setSchedule(HumanSchedule.parse("hours", "08:00-09:00 7MB/s; else 8MB/s"));
      assertEquals(Rate.perSecond(7_000_000), budget.rate());
      assertEquals(Rate.perSecond(7_000_000), scheduled.rate());
      wall.now = wall.now.plus(Duration.ofSeconds(1));
      Await.until("it is nine", () -> budget.rate().equals(Rate.perSecond(8_000_000)));
    }
  }
}
