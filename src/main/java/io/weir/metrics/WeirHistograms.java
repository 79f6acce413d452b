package io.weir.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Histogram buckets for Weir's timers, for quantiles over time and over machines. Add the filter to
 * a registry before binding anything to it. Without it, timers have only a count, a sum and a
 * decaying maximum.
 *
 * <pre>{@code registry.config().meterFilter(WeirHistograms.filter());}</pre>
 *
 * <p>Reopens and their phases: 1 ms to 60 s. Merges: 100 ms to 12 h, where Micrometer's own buckets
 * would end at 30 s. Waits: 0.1 ms to 10 s.
 */
public final class WeirHistograms {

  private static final double[] REOPENS =
      nanos(Duration.ofMillis(1), 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4);
  private static final double[] MERGES =
      nanos(
          Duration.ofSeconds(1),
          0.1,
          0.5,
          1,
          2,
          5,
          10,
          30,
          60,
          120,
          300,
          600,
          1800,
          3600,
          7200,
          14_400,
          43_200);
  private static final double[] WAITS =
      nanos(Duration.ofMillis(1), 0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4);

  private static final Map<WeirMeter, double[]> BUCKETS =
      new EnumMap<>(
          Map.of(
              WeirMeter.REFRESH, REOPENS,
              WeirMeter.REFRESH_PHASE, REOPENS,
              WeirMeter.REFRESH_LOCK_WAIT, REOPENS,
              WeirMeter.REFRESH_VISIBLE, REOPENS,
              WeirMeter.REFRESH_VISIBLE_PART, REOPENS,
              WeirMeter.REFRESH_FRESHNESS, REOPENS,
              WeirMeter.MERGE, MERGES,
              WeirMeter.MERGE_PAUSED, WAITS,
              WeirMeter.BUDGET_WAIT, WAITS));

  private WeirHistograms() {}

  /** Buckets for Weir's timers; other meters are unchanged. */
  public static MeterFilter filter() {
    return new MeterFilter() {
      @Override
      public DistributionStatisticConfig configure(
          Meter.Id id, DistributionStatisticConfig config) {
        double[] buckets = buckets(id.getName());
        return buckets == null
            ? config
            : DistributionStatisticConfig.builder()
                .serviceLevelObjectives(buckets)
                .minimumExpectedValue(buckets[0])
                .maximumExpectedValue(buckets[buckets.length - 1])
                .build()
                .merge(config);
      }
    };
  }

  private static double[] buckets(String name) {
    return BUCKETS.entrySet().stream()
        .filter(entry -> entry.getKey().spec().id().equals(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static double[] nanos(Duration unit, double... counts) {
    return Arrays.stream(counts).map(count -> count * unit.toNanos()).toArray();
  }
}
