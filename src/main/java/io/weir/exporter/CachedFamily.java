package io.weir.exporter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The samples of one metric name: name, help, labels and creation times from a scrape, and the
 * meters to read the values from again. It supports gauges, counters, timers and distribution
 * summaries, with or without buckets, but no percentiles.
 *
 * @param assemble creates a snapshot of the samples
 */
record CachedFamily<P extends DataPointSnapshot>(
    MetricMetadata metadata,
    List<Supplier<P>> samples,
    BiFunction<MetricMetadata, Collection<P>, MetricSnapshot> assemble) {

  /** The suffix of the maximum of a timer or summary, which is a separate family. */
  private static final String MAX = "_max";

  /**
   * Caches a snapshot.
   *
   * @param meters by the names of their families and their labels
   * @return empty if the meter of a sample is unknown
   */
  static Optional<CachedFamily<?>> of(
      MetricSnapshot collected, Map<String, Map<Labels, Meter>> meters) {
    String name = collected.getMetadata().getName();
    Map<Labels, Meter> own = meters.getOrDefault(name, Map.of());
    if (collected instanceof GaugeSnapshot gauges) {
      Map<Labels, Meter> measured =
          name.endsWith(MAX)
              ? meters.getOrDefault(name.substring(0, name.length() - MAX.length()), Map.of())
              : Map.of();
      return of(
          collected,
          gauges.getDataPoints(),
          sample -> gauge(sample, own.get(sample.getLabels()), measured.get(sample.getLabels())),
          GaugeSnapshot::new);
    }
    if (collected instanceof CounterSnapshot counters) {
      return of(
          collected,
          counters.getDataPoints(),
          sample -> counter(sample, own.get(sample.getLabels())),
          CounterSnapshot::new);
    }
    if (collected instanceof SummarySnapshot summaries) {
      return of(
          collected,
          summaries.getDataPoints(),
          sample -> summary(sample, own.get(sample.getLabels())),
          SummarySnapshot::new);
    }
    if (collected instanceof HistogramSnapshot histograms && !histograms.isGaugeHistogram()) {
      return of(
          collected,
          histograms.getDataPoints(),
          sample -> histogram(sample, own.get(sample.getLabels())),
          HistogramSnapshot::new);
    }
    return Optional.empty();
  }

  /** The same samples with current values. */
  MetricSnapshot read() {
    List<P> values = new ArrayList<>(samples.size());
    for (Supplier<P> sample : samples) {
      values.add(sample.get());
    }
    return assemble.apply(metadata, values);
  }

  private static <P extends DataPointSnapshot> Optional<CachedFamily<?>> of(
      MetricSnapshot collected,
      List<P> samples,
      Function<P, Supplier<P>> reader,
      BiFunction<MetricMetadata, Collection<P>, MetricSnapshot> assemble) {
    if (samples.isEmpty()) { // there may be some at the next scrape
      return Optional.empty();
    }
    List<Supplier<P>> cached = new ArrayList<>(samples.size());
    for (P sample : samples) {
      Supplier<P> again = reader.apply(sample);
      if (again == null) {
        return Optional.empty();
      }
      cached.add(again);
    }
    return Optional.of(new CachedFamily<>(collected.getMetadata(), cached, assemble));
  }

  private static Supplier<GaugeDataPointSnapshot> gauge(
      GaugeDataPointSnapshot sample, Meter meter, Meter measured) {
    Labels labels = sample.getLabels();
    if (meter instanceof Gauge gauge) {
      return () -> new GaugeDataPointSnapshot(gauge.value(), labels, null);
    }
    if (measured instanceof Timer timer) {
      return () -> new GaugeDataPointSnapshot(timer.max(TimeUnit.SECONDS), labels, null);
    }
    if (measured instanceof LongTaskTimer timer) {
      return () -> new GaugeDataPointSnapshot(timer.max(TimeUnit.SECONDS), labels, null);
    }
    if (measured instanceof DistributionSummary summary) {
      return () -> new GaugeDataPointSnapshot(summary.max(), labels, null);
    }
    return null;
  }

  private static Supplier<CounterDataPointSnapshot> counter(
      CounterDataPointSnapshot sample, Meter meter) {
    Labels labels = sample.getLabels();
    long created = sample.getCreatedTimestampMillis();
    if (meter instanceof Counter counter) {
      return () -> new CounterDataPointSnapshot(counter.count(), labels, null, created);
    }
    if (meter instanceof FunctionCounter counter) {
      return () -> new CounterDataPointSnapshot(counter.count(), labels, null, created);
    }
    return null;
  }

  private static Supplier<SummaryDataPointSnapshot> summary(
      SummaryDataPointSnapshot sample, Meter meter) {
    if (sample.getQuantiles().size() > 0) {
      return null;
    }
    Labels labels = sample.getLabels();
    long created = sample.getCreatedTimestampMillis();
    if (meter instanceof Timer timer) {
      return () -> summary(timer.count(), timer.totalTime(TimeUnit.SECONDS), labels, created);
    }
    if (meter instanceof LongTaskTimer timer) {
      return () -> summary(timer.activeTasks(), timer.duration(TimeUnit.SECONDS), labels, created);
    }
    if (meter instanceof FunctionTimer timer) {
      return () ->
          summary((long) timer.count(), timer.totalTime(TimeUnit.SECONDS), labels, created);
    }
    if (meter instanceof DistributionSummary summary) {
      return () -> summary(summary.count(), summary.totalAmount(), labels, created);
    }
    return null;
  }

  private static SummaryDataPointSnapshot summary(
      long count, double sum, Labels labels, long created) {
    return new SummaryDataPointSnapshot(
        count, sum, Quantiles.EMPTY, labels, Exemplars.EMPTY, created);
  }

  private static Supplier<HistogramDataPointSnapshot> histogram(
      HistogramDataPointSnapshot sample, Meter meter) {
    double[] bounds =
        sample.getClassicBuckets().stream().mapToDouble(bucket -> bucket.getUpperBound()).toArray();
    Labels labels = sample.getLabels();
    long created = sample.getCreatedTimestampMillis();
    if (meter instanceof Timer timer) {
      return () -> {
        var now = timer.takeSnapshot();
        return histogram(now, bounds, now.total(TimeUnit.SECONDS), labels, created);
      };
    }
    if (meter instanceof DistributionSummary summary) {
      return () -> {
        var now = summary.takeSnapshot();
        return histogram(now, bounds, now.total(), labels, created);
      };
    }
    return null;
  }

  private static HistogramDataPointSnapshot histogram(
      io.micrometer.core.instrument.distribution.HistogramSnapshot now,
      double[] bounds,
      double sum,
      Labels labels,
      long created) {
    CountAtBucket[] upTo = now.histogramCounts();
    long[] counts = new long[bounds.length];
    long counted = 0;
    for (int i = 0; i < upTo.length; i++) {
      counts[i] = (long) upTo[i].count() - counted;
      counted += counts[i];
    }
    if (bounds.length > upTo.length) { // the last bucket is unbounded
      counts[upTo.length] = Math.max(0, now.count() - counted);
    }
    return new HistogramDataPointSnapshot(
        ClassicHistogramBuckets.of(bounds, counts), sum, labels, Exemplars.EMPTY, created);
  }
}
