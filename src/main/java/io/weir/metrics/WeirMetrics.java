package io.weir.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weir.Weir;
import io.weir.merge.MergeActivity;
import io.weir.nrt.ReopenMonitor;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.store.Directory;

/**
 * All meters of one index: merges, reopens and directories.
 *
 * <pre>{@code
 * new WeirMetrics(weir).bindTo(registry);      // closed with the index
 * new BudgetMetrics(budget).bindTo(registry);  // once for each budget, which indexes may share
 * new LinuxMetrics().bindTo(registry);         // once
 * }</pre>
 *
 * <p>Each part can be used alone: {@link MergeMetrics}, {@link ReopenMetrics}, {@link
 * DirectoryMetrics}.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the meters, not the index. A {@link Weir} owns the
 * binder from the first {@link #bindTo} on, and closes it; it may be closed before. <b>Failure:</b>
 * {@link #bindTo} throws {@link IllegalArgumentException} if a tag has the key {@code kind}, {@code
 * outcome}, {@code result} or {@code phase}, which are the meters' own. It throws {@link
 * IllegalStateException} if the registry has one of the meters with these tags, or one of its name
 * with other tag keys; and if the {@link Weir} has no monitor or is closed. Then it registers none.
 */
public final class WeirMetrics implements MeterBinder, AutoCloseable {

  private final Optional<Weir> weir;
  private final Tags tags; // of the index of the Weir, if there is one
  private List<WeirMeterBinder> parts; // guarded by this; none before a Weir is bound

  /** For one index, with the tag {@code index} if it has a name. */
  public WeirMetrics(Weir weir) {
    this(weir, Tags.empty());
  }

  /**
   * For one index, with the tag {@code index} if it has a name, and with more tags. Attach a
   * monitor before {@link #bindTo}.
   */
  public WeirMetrics(Weir weir, Tags tags) {
    this.weir = Optional.of(Objects.requireNonNull(weir, "weir"));
    Objects.requireNonNull(tags, "tags");
    this.tags = weir.name().map(name -> Tags.of("index", name)).orElse(Tags.empty()).and(tags);
    this.parts = List.of();
  }

  /**
   * For one index without a {@link Weir}.
   *
   * @param merges the scheduler, or the tracker in its place
   * @param directory of the writer
   * @param tags whose values identify the index, such as {@code index}
   */
  public WeirMetrics(MergeActivity merges, Directory directory, ReopenMonitor reopens, Tags tags) {
    Objects.requireNonNull(reopens, "reopens");
    this.weir = Optional.empty();
    this.tags = tags;
    this.parts = parts(merges, directory, reopens, tags);
  }

  private static List<WeirMeterBinder> parts(
      MergeActivity merges, Directory directory, ReopenMonitor reopens, Tags tags) {
    return List.of(
        new MergeMetrics(merges, tags),
        new ReopenMetrics(reopens, tags),
        new DirectoryMetrics(directory, tags));
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (parts.isEmpty()) {
      parts = weir.map(this::parts).orElseThrow();
    }
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
    weir.ifPresent(owner -> owner.own(this));
  }

  private List<WeirMeterBinder> parts(Weir of) {
    ReopenMonitor reopens =
        of.reopens()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "meters need measured reopens: call Weir.attach before bindTo, for " + of));
    return parts(of.scheduler(), of.directory(), reopens, tags);
  }

  /** Removes all meters from each registry, and removes the listeners. */
  @Override
  public synchronized void close() {
    parts.forEach(WeirMeterBinder::close);
    weir.ifPresent(owner -> owner.disown(this));
  }
}
