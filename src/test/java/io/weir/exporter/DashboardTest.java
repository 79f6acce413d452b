package io.weir.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Each metric that the dashboard and the alerts name is one that is scraped. */
@Timeout(60)
class DashboardTest {

  @TempDir Path temp;

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
