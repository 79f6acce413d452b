package io.weir.opensearch;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DistributionDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.weir.engine.NodeMeters;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.tags.Tags;
import org.opensearch.threadpool.Scheduler.Cancellable;
import org.opensearch.threadpool.ThreadPool;

/**
 * The meters of the node and its shards, as gauges of OpenSearch's own telemetry. Each sample that
 * Prometheus would read is a gauge of that name and with those tags, so one dashboard shows both.
 * Telemetry has no counter that is read, and it chooses the buckets of its histograms itself, so
 * counters and timers are gauges too. Of timers only that of refreshes keeps its buckets: the
 * OpenTelemetry library keeps no more than 2000 combinations of tags for a name.
 *
 * <p><b>Threads:</b> one of OpenSearch's reads all meters every ten seconds. The threads of
 * telemetry get what was read last, and never wait. <b>Ownership:</b> closing it removes the
 * gauges.
 */
final class WeirTelemetry implements Closeable {

  private static final System.Logger LOGGER =
      System.getLogger(WeirTelemetry.class.getPackageName());

  private static final TimeValue EVERY = TimeValue.timeValueSeconds(10);

  private static final String WITH_BUCKETS = "lucene_refresh_seconds";

  /** What identifies a gauge. */
  private record Series(String name, Labels labels) {}

  /** A gauge's value, and what it means. */
  private record Sample(double value, String help) {}

  private final MetricsRegistry telemetry;
  private final Supplier<MetricSnapshots> meters;
  private final Map<Series, Closeable> gauges = new HashMap<>(); // guarded by this
  private boolean closed; // guarded by this
  private volatile Map<Series, Sample> samples = Map.of();
  private volatile Cancellable reading; // null before start

  WeirTelemetry(MetricsRegistry telemetry, NodeMeters meters) {
    this.telemetry = telemetry;
    this.meters = meters.registry().getPrometheusRegistry()::scrape;
  }

  /** Reads all meters from now on. */
  WeirTelemetry start(ThreadPool threads) {
    reading = threads.scheduleWithFixedDelay(this::read, EVERY, ThreadPool.Names.GENERIC);
    return this;
  }

  /** Reads all meters now. Meters that are new get gauges, those that are gone lose them. */
  void read() {
    Map<Series, Sample> read = new HashMap<>();
    for (MetricSnapshot metric : Privileged.call(meters)) {
      MetricMetadata metadata = metric.getMetadata();
      for (DataPointSnapshot point : metric.getDataPoints()) {
        values(metadata.getPrometheusName(), point)
            .forEach((series, value) -> read.put(series, new Sample(value, metadata.getHelp())));
      }
    }
    synchronized (this) {
      if (closed) {
        return;
      }
      samples = read;
      Set<Series> gone = new HashSet<>(gauges.keySet());
      gone.removeAll(read.keySet());
      gone.forEach(this::remove);
      read.forEach(
          (series, sample) -> gauges.computeIfAbsent(series, s -> gauge(s, sample.help())));
    }
  }

  private static Map<Series, Double> values(String name, DataPointSnapshot point) {
    Map<Series, Double> read = new HashMap<>();
    Labels labels = point.getLabels();
    switch (point) {
      case CounterDataPointSnapshot counter ->
          read.put(new Series(name + "_total", labels), counter.getValue());
      case GaugeDataPointSnapshot gauge -> read.put(new Series(name, labels), gauge.getValue());
      case DistributionDataPointSnapshot timer -> {
        read.put(new Series(name + "_count", labels), (double) timer.getCount());
        read.put(new Series(name + "_sum", labels), timer.getSum());
        if (name.equals(WITH_BUCKETS)
            && timer instanceof HistogramDataPointSnapshot histogram
            && histogram.hasClassicHistogramData()) {
          addBuckets(name + "_bucket", histogram.getClassicBuckets(), labels, read);
        }
      }
      default -> {} // Weir has no other kind
    }
    return read;
  }

  private static void addBuckets(
      String name, ClassicHistogramBuckets buckets, Labels labels, Map<Series, Double> read) {
    long upTo = 0;
    for (int i = 0; i < buckets.size(); i++) {
      double bound = buckets.getUpperBound(i);
      String le = bound == Double.POSITIVE_INFINITY ? "+Inf" : Double.toString(bound);
      upTo += buckets.getCount(i);
      read.put(new Series(name, labels.add("le", le)), (double) upTo);
    }
  }

  private Closeable gauge(Series series, String help) {
    Tags tags = Tags.create();
    for (Label label : series.labels()) {
      tags = tags.addTag(label.getName(), label.getValue()); // another object, from 3.6 on
    }
    return telemetry.createGauge(series.name(), help, "", () -> value(series), tags);
  }

  private double value(Series series) {
    Sample sample = samples.get(series);
    return sample == null ? Double.NaN : sample.value(); // none while it is being removed
  }

  private void remove(Series series) {
    try {
      gauges.remove(series).close();
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "a gauge of telemetry was not removed: " + series.name(), e);
    }
  }

  @Override
  public void close() {
    Cancellable task = reading;
    if (task != null) {
      task.cancel();
    }
    synchronized (this) {
      closed = true;
      Set.copyOf(gauges.keySet()).forEach(this::remove);
    }
  }
}
