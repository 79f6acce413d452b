package io.weir.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes an index under load, loads the alerts, answers the dashboard. */
@Slow("starts a Prometheus server")
@Timeout(60)
@EnabledIf("io.weir.exporter.PrometheusServer#isInstalled")
class PrometheusTest {

  @TempDir Path temp;

  private ScrapedIndex index;
  private MetricsServer server;

  @BeforeEach
  void start() throws IOException {
    index = new ScrapedIndex(temp.resolve("index"));
    server = MetricsServer.start(MetricsServerOptions.local(0), index.registry);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    index.close();
  }

  @Test
  void scrape_passesPrometheusOwnLint() throws Exception {
    index.load();
    index.load();
    index.merge();
    Process lint =
        new ProcessBuilder("promtool", "check", "metrics").redirectErrorStream(true).start();
    lint.getOutputStream().write(index.registry.scrape().getBytes(StandardCharsets.UTF_8));
    lint.getOutputStream().close();
    String said = new String(lint.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, lint.waitFor(), said);
    assertEquals("", said);
  }

  @Test
  void prometheus_loadsTheAlerts_andAnswersTheDashboard() throws Exception {
    try (PrometheusServer prometheus =
        new PrometheusServer(server.address(), Dashboard.ALERTS, temp)) {
      while (!(prometheus.value("count_over_time(lucene_refresh_skipped_reopens_total[1m])")
          >= 10)) {
        loadForAScrape();
      }
      index.budget.setBytesPerSecond(10_000_000);
      index.merge();
      while (!prometheus.has("increase(lucene_merge_seconds_count{kind='forced'}[1m]) > 0")) {
        loadForAScrape();
      }
      JsonNode rules = prometheus.get("rules");
      assertEquals("weir", rules.at("/data/groups/0/name").asText(), rules.toString());
      for (JsonNode rule : rules.at("/data/groups/0/rules")) {
        assertFalse(rule.get("health").asText().equals("err"), rule.toString());
      }
      for (String query : Dashboard.queries()) {
        JsonNode answer = prometheus.query(query);
        assertEquals("success", answer.get("status").asText(), query + ": " + answer);
        boolean mayBeAbsent = query.contains("system_disk") || query.contains("pressure");
        assertTrue(mayBeAbsent || prometheus.hasSoon(query), () -> "no samples: " + query);
      }
    }
  }

  private void loadForAScrape() throws IOException {
    index.load();
    LockSupport.parkNanos(PrometheusServer.SCRAPE_NANOS);
  }
}
