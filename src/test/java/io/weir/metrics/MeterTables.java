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
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.weir.control.DeadlineSnapshot;
import io.weir.control.GoalSnapshot;
import io.weir.figure.SourceFigures;
import io.weir.host.HostDisk;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeKindTotals;
import io.weir.nrt.ReopenSnapshot;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ProcessorShare;
import io.weir.store.FlushedFilesDirectory;
import io.weir.store.ForecastSnapshot;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.ResidentMemorySnapshot;
import io.weir.store.ResidentSnapshot;
import io.weir.store.SmallFilesDirectory;
import io.weir.store.UnmapSnapshot;
import io.weir.store.WritebackSnapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables of meters in {@code docs/METRICS.md}: each below a heading that ends with the name of
 * its binder.
 */
public final class MeterTables {

  public static final Path PAGE = Path.of("docs", "METRICS.md");

  private static final Pattern HEADING = Pattern.compile("## .*\\(`(\\w+)`\\)");

  private static final String HEAD =
      "| meter | in Prometheus | type | unit | own tags | what it tells |\n|---|---|---|---|---|---|";

  private static final PrometheusNamingConvention PROMETHEUS = new PrometheusNamingConvention();

  private MeterTables() {}

  /** All meters that Weir may have, by the binder that registers them. */
  static Map<Class<? extends MeterBinder>, List<MeterSpec>> byBinder() {
    Map<Class<? extends MeterBinder>, List<MeterSpec>> all = new LinkedHashMap<>();
    all.put(BudgetMetrics.class, list(BUDGET_LIMIT, BUDGET_CHANGES, BudgetSnapshot.FIGURES));
    all.put(ProcessorShareMetrics.class, list(ProcessorShare.FIGURES));
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
            SmallFilesDirectory.Snapshot.FIGURES,
            FlushedFilesDirectory.Snapshot.FIGURES,
            UnmapSnapshot.FIGURES,
            MergeReadsDirectory.FIGURES,
            ForecastSnapshot.FIGURES));
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

  /** The page with each table made anew. */
  public static String in(String page) {
    Map<String, List<MeterSpec>> meters =
        byBinder().entrySet().stream()
            .collect(Collectors.toMap(e -> e.getKey().getSimpleName(), Map.Entry::getValue));
    List<String> lines = new ArrayList<>();
    Set<String> shown = new HashSet<>();
    List<MeterSpec> due = null;
    for (String line : page.lines().toList()) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        due = meters.get(heading.group(1));
      }
      if (due == null || !line.startsWith("|")) {
        lines.add(line);
      } else if (shown.add(String.valueOf(due.get(0).id()))) {
        lines.add(HEAD);
        due.forEach(meter -> lines.add(row(meter)));
      }
    }
    assertEquals(meters.size(), shown.size(), "each binder has a heading and a table");
    return String.join("\n", lines) + "\n";
  }

  static String row(MeterSpec meter) {
    return "| `%s` | `%s` | %s | %s | %s | %s |"
        .formatted(
            meter.id(),
            prometheus(meter),
            meter.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
            meter.unit().replace('_', ' '),
            meter.tagKeys().isEmpty()
                ? "-"
                : meter.tagKeys().stream()
                    .map(key -> "`" + key + "`")
                    .collect(Collectors.joining(", ")),
            meter.description());
  }

  /** The name of its family in a scrape; the samples of a timer add {@code _count} and others. */
  static String prometheus(MeterSpec meter) {
    return PROMETHEUS.name(meter.id(), meter.type(), meter.unit())
        + (meter.type() == Meter.Type.COUNTER ? "_total" : "");
  }
}
