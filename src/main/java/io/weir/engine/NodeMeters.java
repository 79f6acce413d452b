package io.weir.engine;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.ResidentMemoryMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.metrics.WeirMetrics;
import io.weir.rate.ByteBudget;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of the node and its shards, for Prometheus. Those of a shard have the tags {@code
 * index} and {@code shard}.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> the node closes it. <b>Failure:</b> a shard whose
 * meters cannot be registered has none; that is logged.
 */
public final class NodeMeters implements Closeable {

  private static final System.Logger LOGGER = System.getLogger(NodeMeters.class.getPackageName());

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<EngineShard, WeirMetrics> shards = new ConcurrentHashMap<>();

  NodeMeters(ByteBudget budget) {
    registry.config().meterFilter(WeirHistograms.filter());
    new BudgetMetrics(budget).bindTo(registry);
    new ResidentMemoryMetrics().bindTo(registry);
    new LinuxMetrics().bindTo(registry);
  }

  /** All meters. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  void add(EngineShard shard) {
    WeirMetrics metrics =
        new WeirMetrics(
            shard.tracker(),
            shard.directory(),
            shard.refreshes(),
            Tags.of(
                "index", shard.name().index(), "shard", Integer.toString(shard.name().number())));
    try {
      metrics.bindTo(registry);
      shards.put(shard, metrics);
    } catch (IllegalStateException e) {
      metrics.close();
      LOGGER.log(Level.WARNING, shard.name() + " has no meters", e);
    } catch (Throwable e) {
      metrics.close();
      throw e;
    }
  }

  void remove(EngineShard shard) {
    WeirMetrics metrics = shards.remove(shard);
    if (metrics != null) {
      metrics.close();
    }
  }

  @Override
  public void close() {
    registry.close();
  }
}
