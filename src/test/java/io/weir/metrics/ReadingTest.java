package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.fakes.SteppedClock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadingTest {

  private final SteppedClock clock = new SteppedClock();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void get_asksOnceUntilItIsTooOld_toTheNanosecond() {
    Reading<Integer> reading = new Reading<>(asked::incrementAndGet, clock);
    assertEquals(1, reading.get());
    clock.advanceNanos(Reading.KEPT.toNanos() - 1);
    assertEquals(1, reading.get());
    clock.advanceNanos(1);
    assertEquals(2, reading.get());
  }

  @Test
  void get_ofASourceThatThrew_asksAgain() {
    Reading<Integer> reading =
        new Reading<>(
            () -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("no");
              }
              return asked.get();
            },
            clock);
    assertThrows(IllegalStateException.class, reading::get);
    assertEquals(2, reading.get());
    assertEquals(2, reading.get());
  }
}
