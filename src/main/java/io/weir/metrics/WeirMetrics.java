package io.weir.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.ReopenMonitor;
import java.util.List;
import org.apache.lucene.store.Directory;

/**
 * All meters of one index: its merges, its reopens, its directories.
 *
 * <pre>{@code
 * WeirMetrics metrics = new WeirMetrics(weir.scheduler(), directory, reopens, Tags.of("index", "products"));
 * metrics.bindTo(registry);                    // close it with the index
 * new BudgetMetrics(budget).bindTo(registry);  // once for each budget, which indexes may share
 * new LinuxMetrics().bindTo(registry);         // once
 * }</pre>
 *
 * <p>Each of the parts can be used alone: {@link MergeMetrics}, {@link ReopenMetrics}, {@link
 * DirectoryMetrics}.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the meters, not the index. <b>Failure:</b> {@link
 * #bindTo} throws {@link IllegalStateException} when the registry has one of the meters with these
 * tags, and leaves none behind.
 */
public final class WeirMetrics implements MeterBinder, AutoCloseable {

  private final List<WeirMeterBinder> parts;

  /**
   * Of one index.
   *
   * @param directory of the writer
   * @param tags of which the values differ from index to index, such as {@code index}
   */
  public WeirMetrics(
      RateLimitedMergeScheduler scheduler, Directory directory, ReopenMonitor reopens, Tags tags) {
    this.parts =
        List.of(
            new MergeMetrics(scheduler, tags),
            new ReopenMetrics(reopens, tags),
            new DirectoryMetrics(directory, tags));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    int bound = 0;
    try {
      for (; bound < parts.size(); bound++) {
        parts.get(bound).bindTo(registry);
      }
    } catch (RuntimeException e) {
      parts.subList(0, bound).forEach(part -> part.unbind(registry));
      throw e;
    }
  }

  /** Takes all that was registered out of each registry again, and listens no more. */
  @Override
  public void close() {
    parts.forEach(WeirMeterBinder::close);
  }
}
