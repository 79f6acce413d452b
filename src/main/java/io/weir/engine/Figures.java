package io.weir.engine;

import io.weir.control.ReadersFirst;
import io.weir.figure.Shown;
import io.weir.figure.SourceFigures;
import io.weir.merge.ForcedMergeProgress;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.MergeSchedulingClass;
import io.weir.merge.MergeTotals;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.Reopen;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenResult;
import io.weir.nrt.ReopenSnapshot;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import io.weir.store.DeferredUnmapDirectory;
import io.weir.store.DirectoryPlan;
import io.weir.store.ForecastSnapshot;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentMemory;
import io.weir.store.ResidentMemorySnapshot;
import io.weir.store.ResidentSnapshot;
import io.weir.store.UnmapSnapshot;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackSnapshot;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.store.Directory;

/**
 * Figures of a node and its shards, named and in the order in which an answer shows them. The
 * values are numbers, truth values, text, lists and maps: every engine can send these between its
 * nodes.
 */
public final class Figures {

  private static final double NANOS_PER_MILLI = 1e6;

  private Figures() {}

  /** Of names and values in turn; a null value is absent. */
  public static Map<String, Object> of(Object... namesAndValues) {
    Map<String, Object> figures = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) {
        figures.put((String) namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    return figures;
  }

  /**
   * Those of a source, in a map that the caller may add to; an unknown one is absent. Fractions
   * have two digits.
   */
  public static <S> Map<String, Object> of(SourceFigures<S> figures, S source) {
    Map<String, Object> shown = new LinkedHashMap<>();
    figures
        .in(Shown.ANSWER)
        .forEach(
            figure ->
                figure
                    .in(Shown.ANSWER, source)
                    .ifPresent(value -> shown.put(figure.name(Shown.ANSWER), rounded(value))));
    return shown;
  }

  private static Object rounded(Object value) {
    return value instanceof Double number ? Math.round(number * 100) / 100.0 : value;
  }

  /**
   * Those of a node, in a map that the caller may add to.
   *
   * @param holdsKeys whether the node holds dictionaries of keys in memory
   * @param idleClass whether its merges shall compute in the idle class
   */
  public static Map<String, Object> ofNode(
      ByteBudget budget,
      NodeCap cap,
      ProcessorShare processors,
      boolean holdsKeys,
      ReadersFirst readersFirst,
      boolean idleClass) {
    MergeSchedulingClass idle = MergeSchedulingClass.ofThisProcess();
    Rate rate = budget.rate();
    Map<String, Object> merge =
        of(
            "max_bytes_per_sec", rate.isLimited() ? rate.bytesPerSecond() : -1L,
            "schedule", cap.schedule().text(),
            "count_reads", budget.countsReads());
    merge.putAll(of(BudgetSnapshot.FIGURES, budget.snapshot()));
    return of(
        "merge", merge,
        "processors", of(ProcessorShare.FIGURES, processors),
        "resident_keys",
            holdsKeys
                ? of(ResidentMemorySnapshot.FIGURES_OF_KEYS, ResidentMemory.ofKeys().snapshot())
                : null,
        "small_files", memory(ResidentMemory.ofSmallFiles()),
        "flushed_files", memory(ResidentMemory.ofFlushedFiles()),
        "readers_first", of("active", readersFirst.isActive(), "reason", readersFirst.reason()),
        "idle_class",
            of(
                "active",
                idleClass && idle.isActive(),
                "reason",
                idleClass ? idle.reason() : EngineNode.IDLE_CLASS + " is false"));
  }

  private static Map<String, Object> memory(ResidentMemory memory) {
    return of(ResidentMemorySnapshot.FIGURES, memory.snapshot());
  }

  /** Those of merges: totals of each kind, and those that run. */
  public static Map<String, Object> ofMerges(MergeActivity activity) {
    Map<String, Object> merges = new LinkedHashMap<>();
    for (MergeKind kind : MergeKind.values()) {
      merges.put(name(kind), of(MergeKindTotals.FIGURES, activity.totals(kind)));
    }
    merges.put(
        "running",
        activity.running().stream().map(merge -> of(MergeTotals.FIGURES, merge)).toList());
    return merges;
  }

  /** Those of a forced merge that runs: its progress. */
  public static Map<String, Object> ofForcedMerge(ForcedMergeProgress progress) {
    return of(
        "merges", progress.merges(),
        "done_bytes", progress.doneBytes(),
        "estimated_bytes",
            progress.estimatedBytes().isPresent() ? progress.estimatedBytes().getAsLong() : null,
        "done_percent",
            progress.fraction().isPresent()
                ? Math.round(progress.fraction().getAsDouble() * 1000) / 10.0
                : null,
        "elapsed_seconds", progress.elapsed().toSeconds(),
        "remaining_seconds", progress.remaining().map(Duration::toSeconds).orElse(null));
  }

  /** Those of merged segments that were warmed. */
  public static Map<String, Object> ofWarmed(MergedSegmentWarmer warmer) {
    return of("segments", warmer.segments(), "failures", warmer.failures());
  }

  /** Those of one kind of refresh: counts since the shard opened, and recent durations. */
  public static Map<String, Object> ofRefreshes(ReopenMonitor monitor) {
    long[] recent =
        monitor.recent().stream()
            .filter(refresh -> refresh.result() == ReopenResult.CHANGED)
            .mapToLong(Reopen::totalNanos)
            .sorted()
            .toArray();
    Map<String, Object> figures = of(ReopenSnapshot.FIGURES, monitor.snapshot());
    if (recent.length > 0) {
      figures.put(
          "recent",
          of(
              "count", recent.length,
              "p50_millis", exactMillis(percentile(recent, 50)),
              "p90_millis", exactMillis(percentile(recent, 90)),
              "p99_millis", exactMillis(percentile(recent, 99)),
              "max_millis", exactMillis(recent[recent.length - 1])));
    }
    return figures;
  }

  /** The smallest of the sorted values that is not exceeded by {@code percent} of them. */
  private static long percentile(long[] sorted, int percent) {
    return sorted[Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1)];
  }

  private static double exactMillis(long nanos) {
    return Math.round(nanos / NANOS_PER_MILLI * 100) / 100.0;
  }

  /**
   * Those of the layers below a writer: each layer from the files upwards with the reason why it is
   * active or not, and what some have counted; absent for a layer that the directory does not have.
   */
  public static Map<String, Object> ofLayers(Directory directory) {
    return of(
        "layers",
            DirectoryPlan.report(directory).stream()
                .map(
                    layer ->
                        of(
                            "layer", name(layer.layer()),
                            "active", layer.active(),
                            "reason", layer.reason().isEmpty() ? null : layer.reason()))
                .toList(),
        "resident_keys",
            find(
                directory,
                ResidentDirectory.class,
                ResidentDirectory::snapshot,
                ResidentSnapshot.FIGURES),
        "writeback",
            find(
                directory,
                WritebackDirectory.class,
                WritebackDirectory::snapshot,
                WritebackSnapshot.FIGURES),
        "merge_forecast",
            DirectoryPlan.find(directory, WritebackDirectory.class)
                .flatMap(WritebackDirectory::forecastSnapshot)
                .map(snapshot -> of(ForecastSnapshot.FIGURES, snapshot))
                .orElse(null),
        "unmapping",
            find(
                directory,
                DeferredUnmapDirectory.class,
                DeferredUnmapDirectory::snapshot,
                UnmapSnapshot.FIGURES));
  }

  private static <L extends Directory, S> Map<String, Object> find(
      Directory directory, Class<L> type, Function<L, S> source, SourceFigures<S> figures) {
    return DirectoryPlan.find(directory, type)
        .map(layer -> of(figures, source.apply(layer)))
        .orElse(null);
  }

  /** The name of a constant, as figures show it. */
  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  public static long millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis();
  }
}
