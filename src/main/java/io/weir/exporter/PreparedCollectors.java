package io.weir.exporter;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.NamingConvention;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.registry.PrometheusScrapeRequest;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The collectors of a registry of meters. What one of them told is kept with the meters behind it,
 * and only their values are read at the next scrape, until a meter comes or goes. A collector of
 * which something cannot be read so, see {@link PreparedFamily}, is asked itself every time, as are
 * all when some names alone are wanted.
 *
 * <p><b>Threads:</b> any.
 */
final class PreparedCollectors extends PrometheusRegistry {

  /** What was prepared for some meters; thrown away when they are no more the same. */
  private record Prepared(
      List<Meter> meters,
      Map<String, Map<Labels, Meter>> byName,
      Map<MultiCollector, List<PreparedFamily<?>>> families) {

    static Prepared of(List<Meter> meters, NamingConvention convention) {
      Map<String, Map<Labels, Meter>> byName = new HashMap<>();
      Set<String> ambiguous =
          new HashSet<>(); // of which the collector has one, nobody can say which
      for (Meter meter : meters) {
        String name = meter.getId().getConventionName(convention);
        Map<Labels, Meter> ofName = byName.computeIfAbsent(name, absent -> new HashMap<>());
        if (ofName.put(labels(meter, convention), meter) != null) {
          ambiguous.add(name);
        }
      }
      byName.keySet().removeAll(ambiguous);
      return new Prepared(meters, byName, new ConcurrentHashMap<>());
    }

    private static Labels labels(Meter meter, NamingConvention convention) {
      Labels.Builder labels = Labels.builder();
      meter
          .getId()
          .getConventionTags(convention)
          .forEach(tag -> labels.label(tag.getKey(), tag.getValue()));
      return labels.build();
    }

    boolean isFor(List<Meter> others) {
      if (meters.size() != others.size()) {
        return false;
      }
      for (int i = 0; i < others.size(); i++) {
        if (meters.get(i) != others.get(i)) { // equal ones may be other ones
          return false;
        }
      }
      return true;
    }

    /** Keeps what a collector told, if all of it can be read without it. */
    void prepare(MultiCollector collector, MetricSnapshots told) {
      List<PreparedFamily<?>> prepared = new ArrayList<>(told.size());
      for (MetricSnapshot snapshot : told) {
        Optional<PreparedFamily<?>> family = PreparedFamily.of(snapshot, byName);
        if (family.isEmpty()) {
          return;
        }
        prepared.add(family.get());
      }
      families.put(collector, prepared);
    }
  }

  private static final Prepared NOTHING = new Prepared(List.of(), Map.of(), Map.of());

  private final Set<Collector> single = ConcurrentHashMap.newKeySet();
  private final Set<MultiCollector> multiple = ConcurrentHashMap.newKeySet();
  private volatile Prepared prepared = NOTHING;
  private volatile MeterRegistry meters;

  /** Whose meters the collectors tell. */
  void readFrom(MeterRegistry registry) {
    meters = registry;
  }

  /** Holds no meter, nor what it looks at, until the next scrape. */
  void forget() {
    prepared = NOTHING;
  }

  @Override
  public void register(Collector collector) {
    super.register(collector);
    single.add(collector);
  }

  @Override
  public void register(MultiCollector collector) {
    super.register(collector);
    multiple.add(collector);
  }

  @Override
  public void unregister(Collector collector) {
    single.remove(collector);
    super.unregister(collector);
  }

  @Override
  public void unregister(MultiCollector collector) {
    multiple.remove(collector);
    super.unregister(collector);
  }

  @Override
  public void clear() {
    single.clear();
    multiple.clear();
    super.clear();
  }

  @Override
  public MetricSnapshots scrape(PrometheusScrapeRequest request) {
    List<Meter> now = meters.getMeters();
    Prepared current = prepared;
    if (!current.isFor(now)) {
      current = Prepared.of(now, meters.config().namingConvention());
      prepared = current;
    }
    List<MetricSnapshot> snapshots = new ArrayList<>();
    for (MultiCollector collector : multiple) {
      List<PreparedFamily<?>> families = current.families().get(collector);
      if (families != null) {
        families.forEach(family -> snapshots.add(family.read()));
      } else {
        MetricSnapshots told = request == null ? collector.collect() : collector.collect(request);
        told.forEach(snapshots::add);
        current.prepare(collector, told);
      }
    }
    for (Collector collector : single) {
      MetricSnapshot told = request == null ? collector.collect() : collector.collect(request);
      if (told != null) {
        snapshots.add(told);
      }
    }
    return new MetricSnapshots(snapshots);
  }

  /** How many collectors need not be asked any more. */
  int preparedCount() {
    return prepared.families().size();
  }
}
