package io.weir.engine;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.merge.MergeActivity;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.ProcessorShareMetrics;
import io.weir.metrics.ResidentMemoryMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.metrics.WeirMetrics;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.Directory;

/**
 * The meters of a node and its shards or cores, for Prometheus. Those of a shard have the tags
 * {@code index} and {@code shard}, those of a core {@code index} alone.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> the node closes it. <b>Failure:</b> a shard whose
 * meters cannot be registered has none; that is logged.
 */
public final class NodeMeters implements Closeable {

  private static final System.Logger LOGGER = System.getLogger(NodeMeters.class.getPackageName());

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Object, WeirMetrics> owners = new ConcurrentHashMap<>();

  /** Those of the node, whose merges share {@code budget} and {@code processors}. */
  public NodeMeters(ByteBudget budget, ProcessorShare processors) {
    registry.config().meterFilter(WeirHistograms.filter());
    new BudgetMetrics(budget).bindTo(registry);
    new ProcessorShareMetrics(processors).bindTo(registry);
    new ResidentMemoryMetrics().bindTo(registry);
    new LinuxMetrics().bindTo(registry);
  }

  /** All meters. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /**
   * Shows the meters of one index or shard.
   *
   * @param owner by which they are removed; its text names it in a message
   * @param merges of its writer
   * @param directory of its writer
   * @param tags that tell it from others
   * @return false if they cannot be registered, which is logged
   */
  public boolean add(
      Object owner, MergeActivity merges, Directory directory, ReopenMonitor refreshes, Tags tags) {
    WeirMetrics metrics = new WeirMetrics(merges, directory, refreshes, tags);
    try {
      metrics.bindTo(registry);
      owners.put(owner, metrics);
      return true;
    } catch (IllegalStateException e) {
      metrics.close();
      LOGGER.log(Level.WARNING, owner + " has no meters", e);
      return false;
    } catch (Throwable e) {
      metrics.close();
      throw e;
    }
  }

  /** Removes the meters of one that was added, if they are shown. */
  public void remove(Object owner) {
    WeirMetrics metrics = owners.remove(owner);
    if (metrics != null) {
      metrics.close();
    }
  }

  @Override
  public void close() {
    registry.close();
  }
}
