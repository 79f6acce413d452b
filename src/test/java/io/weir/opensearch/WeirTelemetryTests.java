package io.weir.opensearch;

import io.weir.engine.EngineNode;
import io.weir.engine.NodeMeters;
import io.weir.rate.Rate;
import java.io.Closeable;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.Test;
import org.opensearch.telemetry.metrics.Counter;
import org.opensearch.telemetry.metrics.Histogram;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.TaggedMeasurement;
import org.opensearch.telemetry.metrics.tags.Tags;
import org.opensearch.test.OpenSearchTestCase;

/** The gauges of OpenSearch's telemetry. {@link OpenSearchFrameworkTest} runs it. */
public class WeirTelemetryTests extends OpenSearchTestCase {

  private static final Duration SLOW = Duration.ofMillis(500);

  @Test
  public void gauges_haveTheNamesTagsAndValuesThatPrometheusReads() throws Exception {
    try (EngineNode node =
        new EngineNode(Rate.perSecond(1 << 20), ZoneOffset.UTC, SLOW, Optional.empty())) {
      NodeMeters meters = node.startMeters();
      timer(meters).record(Duration.ofMillis(3));
      GaugesOnly telemetry = new GaugesOnly();
      try (WeirTelemetry weir = new WeirTelemetry(telemetry, meters)) {
        weir.read();

        Map<String, Double> expected = scraped(meters);
        assertEquals(Double.valueOf(1 << 20), expected.get(CAP));
        assertEquals(expected.keySet(), telemetry.values().keySet());
        assertEquals(expected.get(CAP), telemetry.values().get(CAP));
        String bucket = "lucene_refresh_seconds_bucket{index=\"i\",le=\"0.005\"}";
        assertEquals(Double.valueOf(1), telemetry.values().get(bucket));
        assertEquals(Double.valueOf(0), telemetry.values().get(bucket.replace("0.005", "0.002")));
      }
      assertEquals(Map.of(), telemetry.values());
    }
  }

  @Test
  public void gauges_ofAMeterThatIsGone_areRemoved_andItsValuesFollow() throws Exception {
    try (EngineNode node = new EngineNode(Rate.UNLIMITED, ZoneOffset.UTC, SLOW, Optional.empty())) {
      NodeMeters meters = node.startMeters();
      GaugesOnly telemetry = new GaugesOnly();
      try (WeirTelemetry weir = new WeirTelemetry(telemetry, meters)) {
        weir.read();
        assertEquals(Double.valueOf(Double.POSITIVE_INFINITY), telemetry.values().get(CAP));
        String count = "lucene_refresh_seconds_count{index=\"i\"}";
        timer(meters).record(SLOW);
        assertFalse(telemetry.values().containsKey(count));

        node.budget().setRate(Rate.perSecond(1000));
        weir.read();
        assertEquals(Double.valueOf(1000), telemetry.values().get(CAP));
        assertEquals(Double.valueOf(1), telemetry.values().get(count));

        meters.registry().remove(timer(meters));
        weir.read();
        assertFalse(telemetry.values().containsKey(count));
      }
    }
  }

  private static final String CAP = "lucene_merge_rate_limit_bytes_per_second{budget=\"node\"}";

  private static io.micrometer.core.instrument.Timer timer(NodeMeters meters) {
    return meters.registry().timer("lucene.refresh", "index", "i");
  }

  /** The samples of the exporter's text, without the buckets that telemetry leaves out. */
  private static Map<String, Double> scraped(NodeMeters meters) {
    return meters
        .registry()
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .filter(line -> !line.contains("_bucket{") || line.startsWith("lucene_refresh_seconds_b"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line ->
                    Double.valueOf(
                        line.substring(line.lastIndexOf(' ') + 1).replace("Inf", "Infinity"))));
  }

  /** A registry of telemetry that has gauges and refuses all else. */
  private static final class GaugesOnly implements MetricsRegistry {

    private final Map<String, Supplier<Double>> gauges = new ConcurrentHashMap<>();

    /** The values now, by name and tags as Prometheus writes them. */
    Map<String, Double> values() {
      Map<String, Double> values = new TreeMap<>();
      gauges.forEach((name, value) -> values.put(name, value.get()));
      return values;
    }

    @Override
    public Closeable createGauge(
        String name, String description, String unit, Supplier<Double> value, Tags tags) {
      String all =
          new TreeMap<>(tags.getTagsMap())
              .entrySet().stream()
                  .map(tag -> tag.getKey() + "=\"" + tag.getValue() + "\"")
                  .collect(Collectors.joining(","));
      String key = all.isEmpty() ? name : name + "{" + all + "}";
      assertNull(key, gauges.put(key, value));
      return () -> assertNotNull(key, gauges.remove(key));
    }

    @Override
    public Closeable createGauge(
        String name, String description, String unit, Supplier<TaggedMeasurement> value) {
      throw new AssertionError(name);
    }

    @Override
    public Counter createCounter(String name, String description, String unit) {
      throw new AssertionError(name);
    }

    @Override
    public Counter createUpDownCounter(String name, String description, String unit) {
      throw new AssertionError(name);
    }

    @Override
    public Histogram createHistogram(String name, String description, String unit) {
      throw new AssertionError(name);
    }

    @Override
    public void close() {}
  }
}
