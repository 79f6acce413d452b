package io.weir.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.suite.Slow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Each metric that the dashboard and the alerts name is one that is scraped. */
@Timeout(60)
class DashboardTest {

  @TempDir Path temp;

  /** Each rule fires when it should, and is silent on a healthy fleet and with two disks. */
  @Test
  @Slow("starts promtool")
  @EnabledIf("io.weir.exporter.PrometheusServer#isInstalled")
  void alerts_fireOnTheBadNodeOnly() throws Exception {
    Path tests = temp.resolve("alerts.yml");
    Files.copy(Dashboard.ALERTS, temp.resolve("weir-alerts.yml"));
    Files.copy(Path.of("src/test/resources/io/weir/exporter/alerts.yml"), tests);
    Process promtool =
        new ProcessBuilder("promtool", "test", "rules", tests.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, promtool.waitFor(), said);
  }

  @Test
  void everyPanel_isOfTheInstancesThatAreChosen() throws Exception {
    for (JsonNode panel : new ObjectMapper().readTree(Dashboard.DASHBOARD.toFile()).get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        String query = target.get("expr").asText();
        Matcher metric = Dashboard.METRIC.matcher(query);
        while (metric.find()) {
          assertTrue(
              query.startsWith("{instance=~\"$instance\"", metric.end()),
              panel.get("title") + ": " + query);
        }
      }
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void metrics_areAllScraped() throws Exception {
    Set<String> named = Dashboard.metrics();
    assertTrue(named.size() > 20, named.toString());
    try (ScrapedIndex index = new ScrapedIndex(temp)) {
      index.load();
      index.load();
      index.merge();
      Set<String> scraped =
          index
              .registry
              .scrape()
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split("[{ ]", 2)[0])
              .collect(Collectors.toSet());
      Set<String> missing = new TreeSet<>(named);
      missing.removeAll(scraped);
      // A container may hide its disks and its pressure, which then have no meters.
      missing.removeIf(name -> name.startsWith("system_disk") || name.contains("pressure"));
      assertEquals(Set.of(), missing, () -> new TreeSet<>(scraped).toString());
    }
  }
}
