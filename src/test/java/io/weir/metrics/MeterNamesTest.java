package io.weir.metrics;

import static io.weir.golden.Golden.assertGolden;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.weir.cache.OffHeapQueryCache;
import io.weir.control.LatencyGoal;
import io.weir.control.MergeDeadline;
import io.weir.control.Percentile;
import io.weir.golden.Golden;
import io.weir.nrt.SlowReopenOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of meters, what is registered, and what is written about them are one. */
class MeterNamesTest {

  @TempDir Path temp;

  /** Its tables are written with the golden files. */
  @Test
  void document_hasEachMeter_asItIs() throws Exception {
    String page = Files.readString(MeterTables.PAGE);
    String rendered = MeterTables.in(page);
    if (Golden.WRITES) {
      Files.writeString(MeterTables.PAGE, rendered);
    }
    assertEquals(rendered, Files.readString(MeterTables.PAGE));
  }

  @Test
  void names_areDottedLowerCaseAndDiffer() {
    Set<String> seen = new TreeSet<>();
    for (MeterSpec meter : all()) {
      assertTrue(meter.id().matches("(lucene|system)(\\.[a-z]+)+"), meter.id());
      assertTrue(seen.add(meter.id()), meter.id());
      assertTrue(!meter.id().endsWith("total"), meter.id());
      assertTrue(meter.unit().matches("[a-z_]+"), "Prometheus takes it as it is: " + meter.unit());
    }
  }

  @Test
  void registry_hasEachMeterOfTheList_withItsTypeAndTags() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    CompositeMeterRegistry both = new CompositeMeterRegistry();
    both.add(registry);
    both.add(prometheus);
    ByteBudget budget = ByteBudget.unlimited();
    new BudgetMetrics(budget).bindTo(both);
    new ProcessorShareMetrics(ProcessorShare.unlimited()).bindTo(both);
    new LinuxMetrics().bindTo(both);
    new HostMemoryMetrics().bindTo(both);
    new DiskMetrics().bindTo(both);
    new ResidentMemoryMetrics().bindTo(both);
    new QueryCacheMetrics(new OffHeapQueryCache(1, 1 << 20)::snapshot).bindTo(both);
    try (MeasuredIndex index = new MeasuredIndex(temp, "a", budget);
        LatencyGoal goal = index.weir.hold(Percentile.P99, Duration.ofMillis(100));
        MergeDeadline deadline =
            MergeDeadline.within(Duration.ofHours(1), index.weir.scheduler())) {
      new MergeDeadlineMetrics(deadline, Tags.empty()).bindTo(both);
      index.metrics().bindTo(both);
      new LatencyGoalMetrics(goal).bindTo(both);
      new SlowReopenMetrics(
              index.reopens.explainSlow(SlowReopenOptions.defaults()), Tags.of("index", "a"))
          .bindTo(both);
      for (MeterSpec meter : all()) {
        var found = registry.find(meter.id()).meters();
        assertTrue(!found.isEmpty() || isOfThisMachine(meter.id()), "not registered: " + meter);
        found.forEach(
            registered -> {
              assertEquals(meter.type(), registered.getId().getType(), meter.id());
              assertEquals(meter.description(), registered.getId().getDescription());
              Set<String> keys =
                  registered.getId().getTags().stream()
                      .map(Tag::getKey)
                      .filter(key -> !key.equals("index"))
                      .collect(Collectors.toSet());
              assertEquals(Set.copyOf(meter.tagKeys()), keys, meter.id());
            });
      }
      String scrape = prometheus.scrape();
      for (MeterSpec meter : all()) {
        if (!registry.find(meter.id()).meters().isEmpty()) {
          String name = MeterTables.prometheus(meter);
          assertTrue(scrape.contains("\n" + name), () -> "the page says " + name + ": " + scrape);
        }
      }
      assertGolden("meters.txt", described(registry));
      Set<String> names =
          registry.getMeters().stream().map(m -> m.getId().getName()).collect(Collectors.toSet());
      all().stream().map(MeterSpec::id).forEach(names::remove);
      assertEquals(Set.of(), names, "not in the list");
    }
  }

  private static List<MeterSpec> all() {
    return MeterTables.byBinder().values().stream().flatMap(List::stream).toList();
  }

  /** Whether the kernel decides that there is one. */
  private static boolean isOfThisMachine(String name) {
    return name.startsWith("system.") || name.startsWith("lucene.merge.forecast.");
  }

  /** Each meter of an index and of Weir itself; which ones the kernel has differs by machine. */
  private static String described(SimpleMeterRegistry registry) {
    PrometheusNamingConvention prometheus = new PrometheusNamingConvention();
    return registry.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> !isOfThisMachine(id.getName()))
        .map(
            id ->
                "%s %s %s %s%n  %s%n  %s%n"
                    .formatted(
                        id.getName(),
                        id.getType(),
                        id.getBaseUnit(),
                        id.getTags(),
                        prometheus.name(id.getName(), id.getType(), id.getBaseUnit()),
                        id.getDescription()))
        .sorted()
        .collect(Collectors.joining());
  }
}
