package io.weir.metrics;

import static io.weir.metrics.WeirMeter.BUDGET_CHANGES;
import static io.weir.metrics.WeirMeter.BUDGET_LIMIT;
import static io.weir.metrics.WeirMeter.GOAL_DECISIONS;
import static io.weir.metrics.WeirMeter.LINUX_DIRTY;
import static io.weir.metrics.WeirMeter.LINUX_PRESSURE_IO;
import static io.weir.metrics.WeirMeter.MEMORY_SIZE;
import static io.weir.metrics.WeirMeter.MERGE_CAP_LIFTS;
import static io.weir.metrics.WeirMeter.MERGE_PAUSED;
import static io.weir.metrics.WeirMeter.QUERY_CACHE_LOOKUPS;
import static io.weir.metrics.WeirMeter.REFRESH;
import static io.weir.metrics.WeirMeter.REFRESH_FRESHNESS;
import static io.weir.metrics.WeirMeter.REFRESH_SLOW;
import static io.weir.metrics.WeirMeter.SWAP_USED;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weir.control.DeadlineSnapshot;
import io.weir.control.GoalSnapshot;
import io.weir.figure.Figure;
import io.weir.figure.Shown;
import io.weir.figure.SourceFigure;
import io.weir.figure.SourceFigures;
import io.weir.figure.Unit;
import io.weir.host.HostDisk;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeKindTotals;
import io.weir.nrt.ReopenSnapshot;
import io.weir.rate.BudgetSnapshot;
import io.weir.store.FlushedFilesSnapshot;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.ResidentMemorySnapshot;
import io.weir.store.ResidentSnapshot;
import io.weir.store.SmallFilesSnapshot;
import io.weir.store.UnmapSnapshot;
import io.weir.store.WritebackSnapshot;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a meter is, in the registry and in {@code docs/METRICS.md}. Most are figures of a source;
 * {@link WeirMeter} has the others.
 *
 * @param id the name by Micrometer's convention. A registry translates it for its system;
 *     Prometheus uses underscores, the unit and {@code _total}
 * @param type a counter or gauge may be a function of some state
 * @param unit a base unit of Micrometer's, or the plural of the counted things
 * @param tagKeys those of its own tags, in addition to the application's
 */
record MeterSpec(
    String id, Meter.Type type, String unit, String description, List<String> tagKeys) {

  /** All meters that Weir may have, by the binder that registers them. */
  static Map<Class<? extends MeterBinder>, List<MeterSpec>> byBinder() {
    Map<Class<? extends MeterBinder>, List<MeterSpec>> all = new LinkedHashMap<>();
    all.put(BudgetMetrics.class, list(BUDGET_LIMIT, BUDGET_CHANGES, BudgetSnapshot.FIGURES));
    all.put(
        LatencyGoalMetrics.class,
        list(GOAL_DECISIONS, GOAL_DECISIONS, GoalSnapshot.Held.FIGURES, GoalSnapshot.FIGURES));
    all.put(MergeDeadlineMetrics.class, list(DeadlineSnapshot.FIGURES));
    all.put(
        MergeMetrics.class,
        list(MERGE_PAUSED, MERGE_CAP_LIFTS, MergeKindTotals.FIGURES, MergeActivity.FIGURES));
    all.put(ReopenMetrics.class, list(REFRESH, REFRESH_FRESHNESS, ReopenSnapshot.FIGURES));
    all.put(SlowReopenMetrics.class, list(REFRESH_SLOW, REFRESH_SLOW));
    all.put(
        DirectoryMetrics.class,
        list(
            WritebackSnapshot.FIGURES,
            ResidentSnapshot.FIGURES,
            SmallFilesSnapshot.FIGURES,
            FlushedFilesSnapshot.FIGURES,
            UnmapSnapshot.FIGURES,
            MergeReadsDirectory.FIGURES));
    all.put(ResidentMemoryMetrics.class, list(ResidentMemorySnapshot.FIGURES_OF_KEYS));
    all.put(
        QueryCacheMetrics.class,
        list(QUERY_CACHE_LOOKUPS, QUERY_CACHE_LOOKUPS, QueryCacheSnapshot.FIGURES));
    all.put(LinuxMetrics.class, list(LINUX_DIRTY, LINUX_PRESSURE_IO));
    all.put(HostMemoryMetrics.class, list(MEMORY_SIZE, SWAP_USED));
    all.put(DiskMetrics.class, list(HostDisk.Counters.FIGURES));
    return all;
  }

  private static List<MeterSpec> list(
      WeirMeter first, WeirMeter last, SourceFigures<?>... sources) {
    return Stream.concat(
            EnumSet.range(first, last).stream().map(WeirMeter::spec), list(sources).stream())
        .toList();
  }

  private static List<MeterSpec> list(SourceFigures<?>... sources) {
    return Arrays.stream(sources).flatMap(MeterSpec::of).toList();
  }

  private static <S> Stream<MeterSpec> of(SourceFigures<S> figures) {
    return figures.in(Shown.METER).map(figure -> of(figures, figure));
  }

  static <S> MeterSpec of(SourceFigures<S> figures, SourceFigure<S> figure) {
    return new MeterSpec(
        figures.meter(figure),
        figure.figure().kind() == Figure.Kind.TOTAL ? Meter.Type.COUNTER : Meter.Type.GAUGE,
        unit(figure),
        figure.figure().text(),
        figures.tagKeys());
  }

  private static String unit(SourceFigure<?> figure) {
    Unit unit = figure.unit(Shown.METER);
    return unit == Unit.COUNT
        ? figure.counted()
        : unit.word().replaceAll("(?<!^)(?=\\p{Lu})", "_").toLowerCase(Locale.ROOT);
  }

  /** Whether it is a time that goes up and down, which Micrometer converts for its system. */
  boolean isTimeGauge() {
    return type == Meter.Type.GAUGE && unit.equals("seconds");
  }
}
