package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.SteppedClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a tick has of the operations that the application reports. */
class LatenciesTest {

  private static final long MILLI = 1_000_000;

  private final SteppedClock clock = new SteppedClock();
  private final Latencies searches =
      new Latencies(
          new LatencyTarget("search", Percentile.P99, Duration.ofMillis(50)), clock, () -> 0);

  /** They are no evidence against the rate after a cut, but merges stand back until they ended. */
  @Test
  void lateOperationsThatBeganBefore_areCountedApart() {
    clock.advanceNanos(1_000 * MILLI);
    searches.take(clock.nanoTime());
    clock.advanceNanos(40 * MILLI);

    searches.record(51 * MILLI);
    searches.record(50 * MILLI);
    searches.record(40 * MILLI);
    LatencySamples tick = searches.take(clock.nanoTime());

    assertEquals(1, tick.formerMisses());
    assertEquals(1, tick.count());
    assertEquals(0, tick.misses());
    assertEquals(3, searches.count());
    assertEquals(1, searches.misses());
    assertEquals(0, searches.take(clock.nanoTime()).formerMisses(), "each once");
  }
}
