package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.LatencySamples.LatencyBuckets;
import io.weir.rate.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** The policy, its evidence and the floor on any input, sensible or not. */
class GoalPolicyPropertiesTest {

  private static final LatencyTarget TARGET =
      new LatencyTarget("reopen", Percentile.P99, Duration.ofMillis(50));

  @Property(tries = 300)
  void anyTicks_leaveTheRateBetweenFloorAndCeiling(
      @ForAll @Size(max = 200) List<@LongRange(min = 0, max = Long.MAX_VALUE) Long> numbers) {
    GoalPolicy policy = new GoalPolicy(GoalOptions.DEFAULT, Long.MAX_VALUE - 1_000);
    policy.add(TARGET);
    policy.add(new LatencyTarget("search", Percentile.P999, Duration.ofSeconds(1)));
    long nowNanos = Long.MAX_VALUE - 1_000; // the clock wraps around
    for (long number : numbers) {
      nowNanos += number % 3_000_000_000L;
      long keepUp = number % 7 == 0 ? number % 50_000_000 : 0;
      long ceiling = number % 5 == 0 ? Rate.MAX_BYTES_PER_SECOND : 1 + number % 100_000_000;
      GoalDecision decision =
          policy.decide(
              new Sight(
                  nowNanos,
                  List.of(samples(number), samples(number / 3)),
                  number % 11 == 0 ? number : number % 200_000_000,
                  number % 2 == 0,
                  number % 3 == 0,
                  keepUp,
                  ceiling,
                  number % 13 == 0));
      assertTrue(decision.afterBytesPerSecond() <= ceiling, decision::toString);
      assertTrue(
          decision.afterBytesPerSecond() >= Math.min(ceiling, Math.max(1_000_000, keepUp)),
          decision::toString);
      assertFalse(decision.describe().contains("NaN"), decision::describe);
    }
  }

  private static LatencySamples samples(long number) {
    long[] latencies = new long[(int) (number % 4)];
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = number >>> (i * 7);
    }
    return Samples.of(TARGET.limit().toNanos(), number % 17 == 0 ? number : 0, latencies);
  }

  @Property
  void bucket_holdsItsLatency_withinAnEighth(
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long nanos) {
    long largest = LatencyBuckets.largest(LatencyBuckets.of(nanos));
    assertTrue(largest >= nanos && largest - nanos <= nanos / 8, () -> nanos + " in " + largest);
  }

  /** The percentile by buckets against the one by sorting. */
  @Property(tries = 200)
  void tail_isThePercentile_withinAnEighth(
      @ForAll @Size(min = 1, max = 400) List<@LongRange(min = 1, max = 1L << 40) Long> latencies) {
    Evidence evidence = new Evidence(TARGET);
    long[] all = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
    evidence.add(Samples.of(TARGET.limit().toNanos(), 0, all), 0, true);

    long exact = all[(int) Math.ceil(0.99 * all.length) - 1];
    long tail = evidence.tailNanos().orElseThrow();
    assertTrue(tail >= exact && tail - exact <= exact / 8, () -> tail + " for " + exact);
  }

  @Property(tries = 100)
  void miss_isShown_onceTheShareOfMissesIsTwiceTheAllowed(
      @ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
    assertTrue(ticksUntilMiss(seed, Percentile.P99, 1, 0.04, 80, 1000) < 1000, "4 %");
  }

  /** Half of those over the limit take 80 ms, the others {@code lateMillis}. */
  private static int ticksUntilMiss(
      long seed, Percentile percentile, int samples, double share, long lateMillis, int most) {
    Random random = new Random(seed);
    Evidence evidence = new Evidence(new LatencyTarget("reopen", percentile, TARGET.limit()));
    int ticks = 0;
    while (!evidence.showsMiss() && ticks < most) {
      long[] latencies = new long[samples];
      for (int i = 0; i < samples; i++) {
        long late = random.nextBoolean() ? 80 : lateMillis;
        latencies[i] = (random.nextDouble() < share ? late : 10) * 1_000_000;
      }
      evidence.add(
          Samples.of(TARGET.limit().toNanos(), 0, latencies), LatencyGoal.TICK_NANOS, true);
      ticks++;
    }
    return ticks;
  }

  /** Of four hundred samples a second, chance puts many misses together in each minute. */
  @Property(tries = 2)
  void miss_ofManySamples_isThatOfTheirShare(
      @ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
    for (Percentile percentile : List.of(Percentile.P50, Percentile.P90, Percentile.P99)) {
      double allowed = percentile.allowedShare();
      for (long lateMillis : new long[] {80, 500}) {
        List<Integer> met = new ArrayList<>();
        List<Integer> missed = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          long own = seed + 7919L * i;
          double twice = Math.min(2 * allowed, 0.75);
          met.add(ticksUntilMiss(own, percentile, 100, 0.6 * allowed, lateMillis, 240));
          missed.add(ticksUntilMiss(own, percentile, 100, twice, lateMillis, 240));
        }
        assertTrue(met.stream().filter(ticks -> ticks < 240).count() < 50, percentile + " " + met);
        assertTrue(missed.stream().allMatch(ticks -> ticks <= 40), percentile + " " + missed);
      }
    }
  }

  /** At a tenth of the allowed share, false alarms are rare: less than one in 5000 samples. */
  @Property(tries = 20)
  void miss_isRarelyShown_whileTheTargetIsMetByFar(
      @ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
    List<Integer> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      runs.add(ticksUntilMiss(seed + 7919L * i, Percentile.P99, 1, 0.001, 80, 1000));
    }
    assertTrue(runs.stream().filter(ticks -> ticks < 1000).count() <= 8, runs::toString);
  }
}
