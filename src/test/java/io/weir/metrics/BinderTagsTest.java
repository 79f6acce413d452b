package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.cache.OffHeapQueryCache;
import io.weir.control.LatencyGoal;
import io.weir.control.Percentile;
import io.weir.merge.MergeTracker;
import io.weir.nrt.SlowReopenOptions;
import io.weir.nrt.SlowReopens;
import io.weir.procfs.Procfs;
import io.weir.rate.ByteBudget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tags the application may give to binders, and what two binders may share. */
class BinderTagsTest {

  @TempDir Path temp;

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final List<Meter.Id> added = new ArrayList<>();

  @Test
  void bindTo_otherTagKeysThanBefore_isRefusedInBothOrders() {
    Tags few = Tags.of("index", "a");
    Tags more = few.and("shard", "0");
    for (List<Tags> order : List.of(List.of(few, more), List.of(more, few))) {
      MeterRegistry fresh = new SimpleMeterRegistry();
      merges(order.get(0)).bindTo(fresh);
      Set<Meter.Id> before = ids(fresh);
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> merges(order.get(1)).bindTo(fresh));
      assertTrue(
          refused
              .getMessage()
              .startsWith(
                  "all meters of a name must have the same tag keys, or Prometheus shows the first"
                      + " ones only: lucene.merge.written has "),
          refused.getMessage());
      assertTrue(refused.getMessage().contains("[index, kind, shard]"), refused.getMessage());
      assertEquals(before, ids(fresh));
    }
  }

  @Test
  void bindTo_sameTagsInAnotherOrder_isADuplicate() {
    merges(Tags.of("index", "a", "shard", "0")).bindTo(registry);
    Set<Meter.Id> before = ids(registry);
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> merges(Tags.of("shard", "0").and("index", "a")).bindTo(registry));
    assertEquals(
        "a meter must be registered once; give each index or budget its own tags:"
            + " lucene.merge.written [index=a, kind=natural, shard=0]",
        refused.getMessage());
    assertEquals(before, ids(registry));
    merges(Tags.of("index", "a", "shard", "1")).bindTo(registry);
    assertEquals(2 * before.size(), ids(registry).size());
  }

  /** An empty value is a value of Micrometer's, and for Prometheus no label at all. */
  @Test
  void bindTo_emptyValues_areTagsAsOthers() {
    merges(Tags.of("index", "")).bindTo(registry);
    merges(Tags.of("index", " ")).bindTo(registry);
    assertThrows(IllegalStateException.class, () -> merges(Tags.of("index", "")).bindTo(registry));
  }

  @Test
  void bindTo_tagThatTheMetersHaveThemselves_isRefusedBeforeAnyIsRegistered() throws Exception {
    registry.config().onMeterAdded(meter -> added.add(meter.getId()));
    ByteBudget budget = ByteBudget.unlimited();
    MergeTracker merges = new MergeTracker(budget);
    OffHeapQueryCache cache = new OffHeapQueryCache(1, 1 << 20);
    try (MeasuredIndex index = new MeasuredIndex(temp, "a", budget);
        LatencyGoal goal = index.weir.hold(Percentile.P99, Duration.ofMillis(100))) {
      SlowReopens slow = index.reopens.explainSlow(SlowReopenOptions.defaults());
      Function<Tags, MeterBinder> ofIndex =
          tags -> new WeirMetrics(merges, index.directory, index.reopens, tags);
      assertRefused(ofIndex, "kind", "outcome", "result", "phase");
      assertRefused(tags -> new MergeMetrics(merges, tags), "kind", "outcome");
      assertRefused(tags -> new ReopenMetrics(index.reopens, tags), "result", "phase");
      assertRefused(tags -> new SlowReopenMetrics(slow, tags), "cause");
      assertRefused(tags -> new BudgetMetrics(budget, tags), "budget");
      assertRefused(tags -> new LatencyGoalMetrics(goal, tags), "budget", "latency", "reason");
      assertRefused(tags -> new QueryCacheMetrics(cache::snapshot, tags), "result");
      assertRefused(ResidentMemoryMetrics::new, "contents");
      assertRefused(DiskMetrics::new, "disk");
      assertRefused(tags -> new LinuxMetrics(Procfs.SYSTEM, tags), "scope", "level", "stall");

      // What is another binder's own is free here: the disk of the index, its budget.
      ofIndex.apply(Tags.of("disk", "nvme0", "budget", "b", "scope", "s")).bindTo(registry);
    }
  }

  @Test
  void bindTo_registryWithFilters_judgesWhatItRegisters() {
    registry.config().commonTags("host", "h").meterFilter(prefixed());
    MergeMetrics first = merges(Tags.of("index", "a"));
    first.bindTo(registry);
    Set<Meter.Id> before = ids(registry);
    merges(Tags.of("index", "b")).bindTo(registry);
    assertEquals(2 * before.size(), ids(registry).size());
    assertThrows(IllegalStateException.class, () -> merges(Tags.of("index", "a")).bindTo(registry));
    assertThrows(IllegalStateException.class, () -> merges(Tags.of("shard", "0")).bindTo(registry));
    assertEquals(2 * before.size(), ids(registry).size());
    first.close();
    assertEquals(before.size(), ids(registry).size());
  }

  /** The second would count into the meters of the first, and take them away when it is closed. */
  @Test
  void bindTo_filterThatMakesTwoIndexesOne_isRefused() {
    registry.config().meterFilter(MeterFilter.ignoreTags("index"));
    merges(Tags.of("index", "a")).bindTo(registry);
    Set<Meter.Id> before = ids(registry);
    assertThrows(IllegalStateException.class, () -> merges(Tags.of("index", "b")).bindTo(registry));
    assertEquals(before, ids(registry));
  }

  /** A counter that reads a figure would read the first kind's and be taken for the sum. */
  @Test
  void bindTo_filterThatMakesTwoKindsOne_isRefusedWhereTheSumWouldBeWrong() {
    registry.config().meterFilter(MeterFilter.ignoreTags("kind"));
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class, () -> merges(Tags.of("index", "a")).bindTo(registry));
    assertTrue(
        refused
            .getMessage()
            .startsWith(
                "a filter of the registry must leave a meter its own tags [kind]:"
                    + " lucene.merge.written "),
        refused.getMessage());
    assertEquals(Set.of(), ids(registry));
  }

  /** Timers are recorded into, so one of all causes is their sum. */
  @Test
  void bindTo_filterThatMakesTimersOne_sumsThem() throws Exception {
    registry.config().meterFilter(MeterFilter.ignoreTags("phase", "result"));
    try (MeasuredIndex index = new MeasuredIndex(temp, "a", ByteBudget.unlimited())) {
      ReopenMetrics reopens = new ReopenMetrics(index.reopens, Tags.empty());
      reopens.bindTo(registry);
      index.segment(3);
      assertTrue(registry.get("lucene.refresh.phase").timer().count() > 1);
      reopens.close();
      assertEquals(Set.of(), ids(registry));
    }
  }

  @Test
  void bindTo_denyingFilter_registersNone() {
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("lucene.merge"));
    merges(Tags.of("index", "a")).bindTo(registry);
    merges(Tags.of("index", "a")).bindTo(registry);
    assertEquals(Set.of(), ids(registry));
  }

  /** A name that is no valid label of Prometheus' is a value, and is escaped. */
  @ParameterizedTest
  @ValueSource(strings = {"a\"b", "a\\b", "a\nb", "a,b{c}=d", "\u00fc\u6771"})
  void scrape_ofAnyIndexName_hasEachMeterOnce(String name) {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    merges(Tags.of("index", name)).bindTo(prometheus);
    merges(Tags.of("index", "other")).bindTo(prometheus);
    String escaped = name.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    assertEquals(
        2, prometheus.scrape().lines().filter(l -> l.startsWith("lucene_merge_debt_")).count());
    assertTrue(prometheus.scrape().contains("index=\"" + escaped + "\""), prometheus.scrape());
  }

  private void assertRefused(Function<Tags, MeterBinder> binder, String... keys) {
    for (String key : keys) {
      MeterBinder bound = binder.apply(Tags.of("index", "a", key, "x"));
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> bound.bindTo(registry), key);
      assertTrue(
          refused
              .getMessage()
              .matches(
                  "tags must leave the keys \\[.*\\b"
                      + key
                      + "\\b.*] to the meters: \\["
                      + key
                      + "=x]"),
          refused.getMessage());
      assertEquals(List.of(), added);
    }
  }

  private static MeterFilter prefixed() {
    return new MeterFilter() {
      @Override
      public Meter.Id map(Meter.Id id) {
        return id.withName("app." + id.getName()).withTag(Tag.of("zone", "z"));
      }
    };
  }

  private static MergeMetrics merges(Tags tags) {
    return new MergeMetrics(new MergeTracker(ByteBudget.unlimited()), tags);
  }

  private static Set<Meter.Id> ids(MeterRegistry registry) {
    return registry.getMeters().stream().map(Meter::getId).collect(Collectors.toSet());
  }
}
