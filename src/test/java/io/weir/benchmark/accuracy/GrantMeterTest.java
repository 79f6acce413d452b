package io.weir.benchmark.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrantMeterTest {

  private final AutoClock clock = new AutoClock();

  @Test
  void accept_countsInTheMillisecondOfTheClock() {
    GrantMeter meter = new GrantMeter(clock, 0, 10);
    clock.advanceNanos(2_999_999);
    meter.accept(5);
    clock.advanceNanos(1);
    meter.accept(7);
    assertEquals(5, meter.bytesWithin(0, 3));
    assertEquals(7, meter.bytesWithin(3, 4));
    assertEquals(0, meter.bytesWithin(4, 10));
  }

  @Test
  void accept_afterTheSpan_countsInTheTotalOnly() {
    GrantMeter meter = new GrantMeter(clock, 0, 10);
    clock.advanceNanos(10_000_000);
    meter.accept(5);
    assertEquals(0, meter.bytesWithin(0, 10));
    assertEquals(5, meter.totalBytes());
    assertEquals(1, meter.grants());
  }

  @Test
  void worstWindow_isTheFullestOfAllAndAddsUpTheThreads() {
    GrantMeter one = new GrantMeter(clock, 0, 12);
    GrantMeter other = new GrantMeter(clock, 0, 12);
    one.accept(10); // in millisecond 0
    clock.advanceNanos(4_000_000);
    other.accept(3); // in 4
    clock.advanceNanos(2_000_000);
    one.accept(9); // in 6
    clock.advanceNanos(5_000_000);
    one.accept(1); // in 11
    assertEquals(10, GrantMeter.worstWindowBytes(List.of(one, other), 2));
    assertEquals(12, GrantMeter.worstWindowBytes(List.of(one, other), 3));
    assertEquals(13, GrantMeter.worstWindowBytes(List.of(one, other), 5));
    assertEquals(23, GrantMeter.worstWindowBytes(List.of(one, other), 12));
  }
}
