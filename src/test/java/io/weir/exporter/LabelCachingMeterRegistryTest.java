package io.weir.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.MeasuredIndex;
import io.weir.metrics.WeirHistograms;
import io.weir.rate.ByteBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Told by heart is told the same, to the letter: the library's own collectors are the measure. */
@Timeout(60)
class LabelCachingMeterRegistryTest {

  private final LabelCachingMeterRegistry registry =
      new LabelCachingMeterRegistry(PrometheusConfig.DEFAULT);
  private final LabelCachingCollectors collectors =
      (LabelCachingCollectors) registry.getPrometheusRegistry();
  private final AtomicLong value = new AtomicLong(1);

  @Test
  void scrape_ofEveryKindOfMeter_isWhatTheCollectorsTell() throws Exception {
    everyKind();
    for (int scrape = 0; scrape < 3; scrape++) {
      value.incrementAndGet();
      registry.get("a.timer").timer().record(scrape, TimeUnit.MILLISECONDS);
      registry.get("a.timer.with.buckets").timer().record(3, TimeUnit.SECONDS);
      registry.get("a.counter").counter().increment(scrape);
      registry.get("a.summary").summary().record(scrape);
      registry.get("a.summary.with.buckets").summary().record(4 * scrape);
      assertSame();
    }
    assertEquals(11, collectors.cachedCount(), "that need not be asked");
  }

  @Test
  void scrape_ofWeir_asksNoCollectorAgain_andHasEveryName(@TempDir Path temp) throws Exception {
    ByteBudget budget = ByteBudget.perSecond(1_000_000_000);
    new BudgetMetrics(budget).bindTo(registry);
    try (MeasuredIndex index = new MeasuredIndex(temp, "a", budget)) {
      index.metrics().bindTo(registry);
      collectors.scrape();
      long names = registry.getMeters().stream().map(m -> m.getId().getName()).distinct().count();
      assertEquals(names, collectors.cachedCount());
      index.segment(10);
      index.segment(10);
      index.merge();
      String scraped = text(collectors.scrape());
      assertFalse(scraped.contains("\n{"), () -> "a name that Prometheus 3 quotes: " + scraped);
      assertTrue(
          scraped.contains(
              "lucene_merge_written_bytes_total{index=\"a\",kind=\"forced\"} "
                  + (long)
                      registry
                          .get("lucene.merge.written")
                          .tag("kind", "forced")
                          .functionCounter()
                          .count()),
          scraped);
    }
    assertEquals(
        "# EOF\n",
        text(collectors.scrape()).replaceAll("(?m)^.*lucene_merge_(throttle|rate).*\n", ""));
  }

  @Test
  void scrape_withWeirsBuckets_hasThemAll() throws Exception {
    registry.config().meterFilter(WeirHistograms.filter());
    Timer timer = registry.timer("lucene.refresh", "index", "a");
    collectors.scrape();
    timer.record(Duration.ofMillis(30));
    timer.record(Duration.ofMillis(200));
    timer.record(Duration.ofHours(1));
    assertSame();
    String text = text(collectors.scrape());
    assertTrue(text.contains("lucene_refresh_seconds_bucket{index=\"a\",le=\"0.05\"} 1\n"), text);
    assertTrue(text.contains("lucene_refresh_seconds_bucket{index=\"a\",le=\"60.0\"} 2\n"), text);
    assertTrue(text.contains("lucene_refresh_seconds_bucket{index=\"a\",le=\"+Inf\"} 3\n"), text);
    assertEquals(1, collectors.cachedCount());
  }

  @Test
  void scrape_afterAMeterHasGoneAndAnotherCome_tellsOfTheNewOne() throws Exception {
    Gauge first = Gauge.builder("level", () -> 1).tag("index", "a").register(registry);
    Gauge.builder("level", () -> 7).tag("index", "b").register(registry);
    collectors.scrape();
    registry.remove(first);
    assertFalse(text(collectors.scrape()).contains("index=\"a\""));
    Gauge.builder("level", () -> 2).tag("index", "a").register(registry); // an equal id
    assertTrue(text(collectors.scrape()).contains("level{index=\"a\"} 2.0"));
    assertSame();
    registry.remove(registry.get("level").tag("index", "a").gauge());
    Gauge.builder("level", () -> 3).tag("index", "a").register(registry); // and no scrape between
    assertTrue(text(collectors.scrape()).contains("level{index=\"a\"} 3.0"));
    registry.clear();
    assertEquals("# EOF\n", text(collectors.scrape()));
  }

  @Test
  void meterThatIsRemoved_isHeldNoMore() {
    Object measured = new Object();
    WeakReference<Object> left = new WeakReference<>(measured);
    Gauge gauge =
        Gauge.builder("level", registry, held(measured)).strongReference(true).register(registry);
    registry.scrape();
    registry.remove(gauge);
    gauge = null;
    measured = null;
    for (int i = 0; i < 10 && left.get() != null; i++) {
      System.gc();
    }
    assertNull(left.get());
  }

  private static ToDoubleFunction<MeterRegistry> held(Object measured) {
    return registry -> measured.hashCode();
  }

  /** Pools have such names. */
  @Test
  void gaugeNamedLikeTheMaximumOfAnother_hasItsOwnValue() throws Exception {
    Gauge.builder("connections", () -> 3).register(registry);
    Gauge.builder("connections.max", () -> 10).register(registry);
    collectors.scrape();
    assertSame();
    assertTrue(text(collectors.scrape()).contains("connections_max 10.0"));
  }

  /** Micrometer gives Prometheus the first, and has all in its list. */
  @Test
  void metersThatHaveOneNameThere_areLeftToTheLibrary() throws Exception {
    Gauge.builder("one.name", () -> 1).register(registry);
    Gauge.builder("one_name", () -> 2).register(registry);
    Gauge.builder("one-name", () -> 3).register(registry);
    collectors.scrape();
    assertSame();
    assertEquals(0, collectors.cachedCount());
  }

  @Test
  void collectorsThatAreNoMeters_areAskedEachTime_untilTheyGo() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Collector one = () -> own("one", asked.incrementAndGet());
    MultiCollector some = () -> MetricSnapshots.of(own("some", asked.incrementAndGet()));
    collectors.register(one);
    collectors.register(some);
    collectors.scrape();
    String second = text(collectors.scrape());
    assertTrue(second.contains("one 4.0") && second.contains("some 3.0"), second);
    collectors.unregister(some);
    assertFalse(text(collectors.scrape()).contains("some"));
    collectors.unregister(one);
    assertEquals("# EOF\n", text(collectors.scrape()));
    collectors.register(some);
    collectors.clear();
    assertEquals("# EOF\n", text(collectors.scrape()));
  }

  @Test
  void collectorThatTellsNothingYet_isAskedAgain() throws Exception {
    AtomicReference<MetricSnapshots> told = new AtomicReference<>(MetricSnapshots.of());
    collectors.register((MultiCollector) told::get);
    assertEquals("# EOF\n", text(collectors.scrape()));
    told.set(MetricSnapshots.of(GaugeSnapshot.builder().name("some").build()));
    collectors.scrape();
    told.set(MetricSnapshots.of(own("some", 1)));
    assertTrue(text(collectors.scrape()).contains("some 1.0"));
  }

  private static GaugeSnapshot own(String name, int value) {
    return GaugeSnapshot.builder()
        .name(name)
        .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder().value(value).build())
        .build();
  }

  @Test
  void scrape_ofSomeNames_hasThoseAlone() throws Exception {
    everyKind();
    collectors.scrape();
    assertEquals(
        "# TYPE a_gauge gauge\n# HELP a_gauge tells\na_gauge{common=\"with \\\"quotes\\\"\",tag=\"v\"} 1.0\n# EOF\n",
        text(collectors.scrape("a_gauge"::equals)));
  }

  private void everyKind() {
    registry
        .config()
        .meterFilter(MeterFilter.renameTag("a.counter", "tag", "other"))
        .commonTags("common", "with \"quotes\"");
    Gauge.builder("a.gauge", value::get).description("tells").tag("tag", "v").register(registry);
    Gauge.builder("a.gauge.with.unit", value::get).baseUnit("bytes").register(registry);
    TimeGauge.builder("a.time", value::get, TimeUnit.MILLISECONDS).register(registry);
    Counter.builder("a.counter").tag("tag", "v").register(registry).increment();
    FunctionCounter.builder("a.function", value, AtomicLong::get)
        .baseUnit("bytes")
        .tag("z", "1")
        .tag("b", "2")
        .register(registry);
    FunctionTimer.builder(
            "a.function.timer", value, AtomicLong::get, AtomicLong::get, TimeUnit.MILLISECONDS)
        .register(registry);
    Timer.builder("a.timer").description("of \\ and \n").tag("tag", "v").register(registry);
    Timer.builder("a.timer.with.buckets").publishPercentileHistogram().register(registry);
    Timer.builder("a.timer.with.percentiles").publishPercentiles(0.5, 0.99).register(registry);
    LongTaskTimer.builder("a.task").register(registry);
    LongTaskTimer.builder("a.task.with.buckets").publishPercentileHistogram().register(registry);
    DistributionSummary.builder("a.summary").register(registry);
    DistributionSummary.builder("a.summary.with.buckets")
        .serviceLevelObjectives(2, 5, Double.POSITIVE_INFINITY)
        .register(registry);
    Gauge.builder("a.build.info", () -> 1).tag("version", "1").register(registry);
    Meter.builder(
            "a.custom",
            Meter.Type.OTHER,
            List.of(
                new Measurement(() -> value.doubleValue(), Statistic.COUNT),
                new Measurement(() -> value.doubleValue(), Statistic.MAX)))
        .register(registry);
  }

  private void assertSame() throws IOException {
    assertEquals(text(collectors.scrape(name -> true)), text(collectors.scrape()));
  }

  private static String text(MetricSnapshots snapshots) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OpenMetricsTextFormatWriter.builder()
        .setCreatedTimestampsEnabled(true)
        .setExemplarsOnAllMetricTypesEnabled(true)
        .build()
        .write(bytes, snapshots, EscapingScheme.ALLOW_UTF8);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
