package io.weir.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.weir.exporter.Collector.Push;
import io.weir.metrics.WeirHistograms;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Over real sockets, read by OpenTelemetry's own classes. */
@Timeout(60)
class OtlpPushTest {

  private static final Duration NEVER = Duration.ofHours(1);

  private Collector collector;

  @BeforeEach
  void start() throws IOException {
    collector = new Collector();
  }

  @AfterEach
  void stop() {
    collector.close();
  }

  @Test
  void close_sendsAllMetersOnce_sumsSinceTheStart_timesInSeconds() throws Exception {
    OtlpPush push = OtlpPush.start(options(NEVER));
    push.registry().config().meterFilter(WeirHistograms.filter());
    Counter written =
        Counter.builder("lucene.merge.written")
            .baseUnit("bytes")
            .tag("kind", "forced")
            .register(push.registry());
    written.increment(7);
    Timer.builder("lucene.refresh").register(push.registry()).record(Duration.ofMillis(30));
    push.close();

    Push sent = collector.next();
    assertEquals("application/x-protobuf", sent.contentType());
    assertEquals("search", sent.resource().get("service.name"));
    Metric sum = sent.metric("lucene.merge.written").orElseThrow();
    assertEquals("bytes", sum.getUnit());
    assertTrue(sum.getSum().getIsMonotonic());
    assertEquals(
        AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
        sum.getSum().getAggregationTemporality());
    assertEquals(7, sum.getSum().getDataPoints(0).getAsDouble());
    assertEquals(
        Map.of("kind", "forced"), Collector.Push.attributes(sum.getSum().getDataPoints(0)));
    Metric timer = sent.metric("lucene.refresh").orElseThrow();
    assertEquals("seconds", timer.getUnit());
    HistogramDataPoint times = timer.getHistogram().getDataPoints(0);
    assertEquals(0.03, times.getSum(), 1e-9);
    assertEquals(1, times.getCount());
    assertEquals(0.001, times.getExplicitBounds(0), 1e-9, "the buckets of reopens");
    assertTrue(collector.isEmpty());
    assertEquals(new OtlpPush.Snapshot(1, 0, Optional.empty()), push.snapshot());
  }

  @Test
  void meters_areSentAgainAndAgain() throws Exception {
    try (OtlpPush push = OtlpPush.start(options(Duration.ofSeconds(1)))) {
      push.registry().counter("lucene.merge.written").increment(7);
      for (int i = 0; i < 2; i++) {
        assertTrue(collector.next().metric("lucene.merge.written").isPresent());
      }
    }
  }

  @Test
  void aCollectorThatRefuses_isCounted_andLosesNothingOfASum() throws Exception {
    collector.answerWith(503);
    OtlpPush push = OtlpPush.start(options(Duration.ofSeconds(1)));
    Counter written = push.registry().counter("lucene.merge.written");
    written.increment(7);
    while (push.snapshot().failures() == 0) {
      Thread.onSpinWait();
    }
    collector.answerWith(200);
    written.increment(1);
    push.close();

    Push last = collector.next();
    while (!collector.isEmpty()) {
      last = collector.next();
    }
    assertEquals(
        8,
        last.metric("lucene.merge.written").orElseThrow().getSum().getDataPoints(0).getAsDouble());
    assertTrue(
        push.snapshot().lastFailure().orElseThrow().contains("503"), push.snapshot()::toString);
  }

  @Test
  void aCollectorThatIsGone_isToldByTheSnapshot_andHoldsNoClose() {
    collector.close();
    OtlpPush push = OtlpPush.start(options(NEVER));
    push.registry().counter("lucene.merge.written").increment();
    push.close();

    assertEquals(
        new OtlpPush.Snapshot(0, 1, Optional.of("java.net.ConnectException: Connection refused")),
        push.snapshot());
  }

  @Test
  void options_thatCannotBe_areRefused() {
    for (String wrong :
        new String[] {"localhost:4318", "ftp://localhost/v1", "http:///v1", "http://localhost/"}) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> new OtlpPushOptions(URI.create(wrong), NEVER, Map.of()));
      assertEquals(
          "an endpoint of OTLP must be a whole address such as http://localhost:4318/v1/metrics: "
              + wrong,
          refused.getMessage());
    }
    for (Duration wrong : new Duration[] {Duration.ofMillis(999), Duration.ofMinutes(61)}) {
      assertThrows(IllegalArgumentException.class, () -> options(wrong));
    }
  }

  private OtlpPushOptions options(Duration interval) {
    return new OtlpPushOptions(collector.url(), interval, Map.of("service.name", "search"));
  }
}
