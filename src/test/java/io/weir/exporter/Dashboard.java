package io.weir.exporter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files for Grafana and Prometheus that the documentation hands out. */
final class Dashboard {

  static final Path DASHBOARD = Path.of("docs", "grafana", "weir.json");
  static final Path ALERTS = Path.of("docs", "grafana", "weir-alerts.yml");

  static final Pattern METRIC = Pattern.compile("\\b(?:lucene|system)_[a-z_]+\\b");

  private Dashboard() {}

  /** What the panels ask Prometheus, with values for the variables. */
  static List<String> queries() throws IOException {
    List<String> queries = new ArrayList<>();
    for (JsonNode panel : new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        queries.add(
            target
                .get("expr")
                .asText()
                .replace("$__rate_interval", "1m")
                .replace("$index", ".*")
                .replace("$instance", ".*"));
      }
    }
    return queries;
  }

  /** The metrics that the dashboard and the alerts name. */
  static Set<String> metrics() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : List.of(DASHBOARD, ALERTS)) {
      Matcher matcher = METRIC.matcher(Files.readString(file));
      while (matcher.find()) {
        names.add(matcher.group());
      }
    }
    return names;
  }
}
