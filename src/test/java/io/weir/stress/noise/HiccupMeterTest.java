package io.weir.stress.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.fakes.SteppedClock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HiccupMeterTest {

  private static final long INTERVAL = HiccupMeter.INTERVAL_NANOS;

  private final SteppedClock clock = new SteppedClock();
  private final List<Long> late = new CopyOnWriteArrayList<>();

  @Test
  void turns_onTime_areNotLate() throws InterruptedException {
    try (HiccupMeter meter = new HiccupMeter(clock, late::add)) {
      for (int i = 0; i < 3; i++) {
        clock.awaitParked(meter.thread());
        clock.advanceNanos(INTERVAL);
      }
      clock.awaitParked(meter.thread());
      assertEquals(List.of(0L, 0L, 0L), late);
    }
  }

  /** Everything stood still for four turns and a bit: each of them is told, with its own delay. */
  @Test
  void turns_missed_areEachTold() throws InterruptedException {
    try (HiccupMeter meter = new HiccupMeter(clock, late::add)) {
      clock.awaitParked(meter.thread());
      clock.advanceNanos(4 * INTERVAL + 7);
      clock.awaitParked(meter.thread());
      assertEquals(List.of(3 * INTERVAL + 7, 2 * INTERVAL + 7, INTERVAL + 7, 7L), late);
      assertEquals(INTERVAL - 7, clock.remainingNanos(meter.thread()));
    }
  }

  @Test
  void close_endsTheThread_evenOfAnInterruptedCaller() throws InterruptedException {
    HiccupMeter meter = new HiccupMeter(clock, late::add);
    clock.awaitParked(meter.thread());
    Thread.currentThread().interrupt();
    meter.close();
    assertEquals(true, Thread.interrupted());
    assertFalse(meter.thread().isAlive());
    meter.close();
    assertEquals(List.of(), late);
  }
}
