package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.OperationsSight.ChargedBytes;
import io.weir.procfs.OperationCounters;
import io.weir.rate.Rate;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** The policy on any input, and on any disk within reason. */
class OperationsPolicyPropertiesTest {

  @Property(tries = 300)
  void anyTicks_leaveTheRateBetweenFloorAndCeiling(
      @ForAll @LongRange(min = 10, max = 100_000_000) long limit,
      @ForAll @Size(max = 200) List<@LongRange(min = 0, max = Long.MAX_VALUE) Long> numbers) {
    long nowNanos = Long.MAX_VALUE - 1_000; // the clock wraps around
    OperationsPolicy policy = new OperationsPolicy(limit, nowNanos);
    for (long number : numbers) {
      nowNanos += number % 3_000_000_000L;
      boolean counted = number % 19 != 0;
      long keepUp = number % 7 == 0 ? number % 50_000_000 : 0;
      long ceiling = number % 5 == 0 ? Rate.MAX_BYTES_PER_SECOND : 1 + number % 100_000_000;
      OperationsDecision decision =
          policy.decide(
              new OperationsSight(
                  nowNanos,
                  counted
                      ? Optional.of(
                          new OperationCounters(
                              number % 17, number % 11 == 0 ? number >> 8 : number % 1000))
                      : Optional.empty(),
                  new ChargedBytes(
                      number % 23 == 0 ? number % 30_000_000 : 0,
                      number % 13 == 0 ? number >> 8 : number % 20_000_000),
                  number % 2 == 0,
                  number % 3 != 0,
                  keepUp,
                  ceiling));
      long rate = decision.bytesPerSecond();
      assertTrue(rate >= Rate.MIN_BYTES_PER_SECOND && rate <= ceiling, decision::toString);
      long floor = Math.max(OperationsPolicy.LEAST_BYTES_PER_SECOND, keepUp);
      assertTrue(rate >= Math.min(ceiling, floor), decision::toString);
    }
  }

  /**
   * A constant cost and constant others: never long above, close to the limit, at a steady rate.
   */
  @Property(tries = 60)
  void anySteadyDisk_isHeldAtTheLimit(
      @ForAll @LongRange(min = 100, max = 5_000) long limit,
      @ForAll @DoubleRange(min = 4096, max = 1 << 20) double bytesPerOperation,
      @ForAll @DoubleRange(min = 0, max = 0.6) double others,
      @ForAll @DoubleRange(min = 0, max = 0.4) double delaySeconds,
      @ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
    SimulatedVolume volume = new SimulatedVolume(seed, limit);
    volume.bytesPerOperation = t -> bytesPerOperation;
    volume.othersPerSecond = t -> others * limit;
    volume.mergeDemand = t -> Rate.MAX_BYTES_PER_SECOND;
    volume.delaySeconds = delaySeconds;
    volume.run(100);

    double random = 3 * Math.sqrt(others / (10 * limit)); // of arrivals in ten seconds
    assertEquals(1, volume.share(20, 100), 0.03 + random / 2, "the mean");
    assertTrue(
        volume.mostIn(10, 15, 100) <= 1.03 + random, () -> "10 s: " + volume.mostIn(10, 15, 100));
  }

  /** After any step of the cost, the operations are below the limit again within some seconds. */
  @Property(tries = 60)
  void anyStep_isOverSoon(
      @ForAll @LongRange(min = 100, max = 5_000) long limit,
      @ForAll @DoubleRange(min = 0.1, max = 10) double factor,
      @ForAll @DoubleRange(min = 0, max = 0.3) double delaySeconds) {
    SimulatedVolume volume = new SimulatedVolume(1, limit);
    volume.bytesPerOperation = t -> t < 40 ? 131_072 : 131_072 / factor;
    volume.mergeDemand = t -> Rate.MAX_BYTES_PER_SECOND;
    volume.delaySeconds = delaySeconds;
    volume.run(80);

    assertTrue(volume.share(43, 46) <= 1.05, () -> "after a step: " + volume.share(43, 46));
    assertEquals(1, volume.share(60, 80), 0.04, "found again");
  }
}
