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
 * The collectors of a meter registry. It caches the snapshots of each collector with the meters
 * behind them. Later scrapes read only the values, until a meter is added or removed. A collector
 * that cannot be cached completely (see {@link CachedFamily}) is called at every scrape. So are all
 * collectors if a scrape requests only some names.
 *
 * <p><b>Threads:</b> any.
 */
final class LabelCachingCollectors extends PrometheusRegistry {

  /** The cached snapshots of a set of meters; discarded when the set changes. */
  private record Cache(
      List<Meter> meters,
      Map<String, Map<Labels, Meter>> byName,
      Map<MultiCollector, List<CachedFamily<?>>> families) {

    static Cache of(List<Meter> meters, NamingConvention convention) {
      Map<String, Map<Labels, Meter>> byName = new HashMap<>();
      // Of several meters with one name and equal labels, it is unknown which one a sample shows.
      Set<String> ambiguous = new HashSet<>();
      for (Meter meter : meters) {
        String name = meter.getId().getConventionName(convention);
        Map<Labels, Meter> ofName = byName.computeIfAbsent(name, absent -> new HashMap<>());
        if (ofName.put(labels(meter, convention), meter) != null) {
          ambiguous.add(name);
        }
      }
      byName.keySet().removeAll(ambiguous);
      return new Cache(meters, byName, new ConcurrentHashMap<>());
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
        if (meters.get(i) != others.get(i)) { // equal meters may be different objects
          return false;
        }
      }
      return true;
    }

    /** Caches the snapshots of a collector, if there are any and all of them can be cached. */
    void keep(MultiCollector collector, MetricSnapshots collected) {
      if (collected.size() == 0) {
        return;
      }
      List<CachedFamily<?>> cached = new ArrayList<>(collected.size());
      for (MetricSnapshot snapshot : collected) {
        Optional<CachedFamily<?>> family = CachedFamily.of(snapshot, byName);
        if (family.isEmpty()) {
          return;
        }
        cached.add(family.get());
      }
      families.put(collector, cached);
    }
  }

  private static final Cache NOTHING = new Cache(List.of(), Map.of(), Map.of());

  private final Set<Collector> single = ConcurrentHashMap.newKeySet();
  private final Set<MultiCollector> multiple = ConcurrentHashMap.newKeySet();
  private volatile Cache cache = NOTHING;
  private volatile MeterRegistry meters;

  /** Sets the registry of the meters. */
  void readFrom(MeterRegistry registry) {
    meters = registry;
  }

  /** Drops all references to meters until the next scrape. */
  void forget() {
    cache = NOTHING;
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
    Cache current = cache;
    if (!current.isFor(now)) {
      current = Cache.of(now, meters.config().namingConvention());
      cache = current;
    }
    List<MetricSnapshot> snapshots = new ArrayList<>();
    for (MultiCollector collector : multiple) {
      List<CachedFamily<?>> families = current.families().get(collector);
      if (families != null) {
        families.forEach(family -> snapshots.add(family.read()));
      } else {
        MetricSnapshots collected =
            request == null ? collector.collect() : collector.collect(request);
        collected.forEach(snapshots::add);
        current.keep(collector, collected);
      }
    }
    for (Collector collector : single) {
      MetricSnapshot collected = request == null ? collector.collect() : collector.collect(request);
      if (collected != null) {
        snapshots.add(collected);
      }
    }
    return new MetricSnapshots(snapshots);
  }

  /** The number of cached collectors. */
  int cachedCount() {
    return cache.families().size();
  }
}
