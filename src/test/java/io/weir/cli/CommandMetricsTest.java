package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.metrics.v1.Metric;
import io.weir.exporter.Collector;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An experiment that other tools see while it runs: a scrape, a collector, the flight recorder. */
@Slow("starts the command line, which starts a JVM for each arm")
@Timeout(120)
class CommandMetricsTest {

  private static final Pattern CHANGED =
      Pattern.compile(
          "lucene_refresh_seconds_count\\{index=\"mine\",result=\"changed\"} [1-9]\\d*");

  @TempDir static Path shared;
  private static Path index;
  private static Path queries; // a run that is given some starts no JVM to draw them

  @TempDir Path temp;

  @BeforeAll
  static void build() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), 2000);
    queries = SmallIndex.queries(index, shared.resolve("queries.txt"));
  }

  @Test
  void stress_withAMetricsPort_servesTheArmThatRuns() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (HttpClient client = HttpClient.newHttpClient();
        WeirProcess weir =
            WeirProcess.start(
                temp,
                "stress",
                "--docs=synthetic:2000",
                "--out=run",
                "--index=" + index,
                "--queries=" + queries,
                "--metrics-port=" + port,
                "--warmup=300ms",
                "--before=300ms",
                "--after=300ms",
                "--arm",
                "mine: merge=none, during=4s, reopens-per-second=10, cap=7MB/s")) {
      weir.awaitProgress("arm mine (1 of 1): without a merge");
      String text = scrape(client, port);
      while (!text.lines().anyMatch(CHANGED.asMatchPredicate())) {
        text = scrape(client, port); // fails when the arm has ended
      }
      assertTrue(text.contains("lucene_merge_written_bytes_total{index=\"mine\""), text);
      assertTrue(text.contains("jvm_memory_used_bytes"), text);
      assertTrue(
          text.lines().anyMatch(line -> line.matches("lucene_merge_rate_limit_.* 7000000.0")),
          text);
      assertEquals(0, weir.await().exitCode());
    }
  }

  private static String scrape(HttpClient client, int port) throws Exception {
    URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
    return client
        .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void stress_withACollectorAndAFlightRecording_feedsBoth() throws Exception {
    WeirProcess.Ended ended;
    Collector.Push last;
    try (Collector collector = new Collector()) {
      ended = brief("--otlp-url=" + collector.url(), "--flight-recording");
      last = collector.next();
      while (!collector.isEmpty()) {
        last = collector.next();
      }
    }
    assertEquals(0, ended.exitCode(), ended.toString());
    assertEquals("weir-stress", last.resource().get("service.name"));
    assertEquals("mine", last.resource().get("service.instance.id"));
    assertTrue(last.metric("lucene.refresh").isPresent());
    Metric limit = last.metric("lucene.merge.rate.limit").orElseThrow();
    assertEquals(7e6, limit.getGauge().getDataPoints(0).getAsDouble());

    List<RecordedEvent> events = RecordingFile.readAllEvents(temp.resolve("run/mine-1.jfr"));
    assertTrue(
        events.stream()
            .anyMatch(
                event ->
                    event.getEventType().getName().equals("io.weir.Reopen")
                        && event.getString("index").equals("mine")));
    Set<String> names =
        events.stream().map(event -> event.getEventType().getName()).collect(Collectors.toSet());
    assertTrue(names.containsAll(Set.of("io.weir.Merge", "io.weir.DirtyPages", "jdk.CPULoad")));
  }

  @Test
  void stress_aCollectorThatRefuses_isToldOfAndFailsNothing() throws Exception {
    try (Collector collector = new Collector()) {
      collector.answerWith(401);
      WeirProcess.Ended ended = brief("--otlp-url=" + collector.url());
      assertEquals(0, ended.exitCode(), ended.toString());
      assertTrue(
          ended.toString().contains("pushes of meters to " + collector.url() + " failed"),
          ended.toString());
      assertTrue(ended.toString().contains("401"), ended.toString());
    }
  }

  @Test
  void stress_whereNoCollectorListens_isRefusedBeforeAnythingIsDone() throws Exception {
    Collector gone = new Collector();
    gone.close();
    String out = "--out=" + temp.resolve("run");
    WeirProcess.Ended ended = InProcess.run("stress", out, "--otlp-url=" + gone.url());
    assertEquals(2, ended.exitCode(), ended.toString());
    assertTrue(
        ended.toString().contains("--otlp-url must be the address of a collector: " + gone.url()),
        ended.toString());
    assertEquals(2, InProcess.run("stress", "--otlp-url=localhost:4318").exitCode(), "no address");
  }

  private WeirProcess.Ended brief(String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "stress",
                "--docs=synthetic:2000",
                "--out=run",
                "--index=" + index,
                "--queries=" + queries,
                "--warmup=300ms",
                "--before=300ms",
                "--after=1s",
                "--arm",
                "mine: during=1s, reopens-per-second=10, cap=7MB/s"));
    arguments.addAll(List.of(more));
    return WeirProcess.run(temp, arguments.toArray(String[]::new));
  }

  @Test
  void stress_aPortThatIsTaken_isRefusedBeforeAnythingIsDone() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      WeirProcess.Ended ended =
          InProcess.run(
              "stress", "--out=" + temp.resolve("run"), "--metrics-port=" + taken.getLocalPort());
      assertEquals(2, ended.exitCode(), ended.toString());
      assertTrue(
          ended.toString().contains("--metrics-port must be a free port: " + taken.getLocalPort()),
          ended.toString());
    }
  }
}
