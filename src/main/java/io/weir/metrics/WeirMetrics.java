package io.weir.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weir.merge.MergeActivity;
import io.weir.nrt.ReopenMonitor;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.store.Directory;

/**
 * All meters of one index: merges, reopens and directories.
 *
 * <pre>{@code
 * WeirMetrics metrics = new WeirMetrics(weir.scheduler(), directory, reopens, Tags.of("index", "products"));
 * metrics.bindTo(registry);                    // close it with the index
 * new BudgetMetrics(budget).bindTo(registry);  // once for each budget, which indexes may share
 * new LinuxMetrics().bindTo(registry);         // once
 * }</pre>
 *
 * <p>Each part can be used alone: {@link MergeMetrics}, {@link ReopenMetrics}, {@link
 * DirectoryMetrics}.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the meters, not the index. <b>Failure:</b> {@link
 * #bindTo} throws {@link IllegalArgumentException} if a tag has the key {@code kind}, {@code
 * outcome}, {@code result} or {@code phase}, which are the meters' own. It throws {@link
 * IllegalStateException} if the registry has one of the meters with these tags, or one of its name
 * with other tag keys. Then it registers none.
 */
public final class WeirMetrics implements MeterBinder, AutoCloseable {

  private final List<WeirMeterBinder> parts;

  /**
   * For one index.
   *
   * @param merges the scheduler, or the tracker in its place
   * @param directory of the writer
   * @param tags whose values identify the index, such as {@code index}
   */
  public WeirMetrics(MergeActivity merges, Directory directory, ReopenMonitor reopens, Tags tags) {
    Objects.requireNonNull(reopens, "reopens");
    this.parts =
        List.of(
            new MergeMetrics(merges, tags),
            new ReopenMetrics(reopens, tags),
            new DirectoryMetrics(directory, tags));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    parts.forEach(WeirMeterBinder::requireForeignTags);
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

  /** Removes all meters from each registry, and removes the listeners. */
  @Override
  public void close() {
    parts.forEach(WeirMeterBinder::close);
  }
}
