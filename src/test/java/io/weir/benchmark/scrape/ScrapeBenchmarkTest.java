package io.weir.benchmark.scrape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.scrape.ScrapeBenchmark.Measured;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark run small. */
@Slow("measures for a given time")
@Timeout(120)
class ScrapeBenchmarkTest {

  @TempDir Path directory;

  @Test
  void measure_quick_seesEveryIndexAndLeavesNoFile() throws Exception {
    Conditions conditions =
        new Conditions(true, directory, new PrintStream(OutputStream.nullOutputStream()));

    List<Measured> results = new ScrapeBenchmark().measure(ScrapeBenchmark.Plan.QUICK, conditions);

    List<List<String>> rows = ScrapeBenchmark.table(results).rows();
    assertEquals(List.of("text", "count, sum, max", "1"), rows.get(0).subList(0, 3));
    assertEquals(List.of("OpenMetrics, gzip", "buckets", "3"), rows.get(7).subList(0, 3));
    assertTrue(results.get(4).samples() > 2 * results.get(0).samples(), "indexes: " + rows);
    assertTrue(results.get(6).samples() > 2 * results.get(4).samples(), "buckets: " + rows);
    assertTrue(results.get(5).sentBytes() * 3 < results.get(4).sentBytes(), "gzip: " + rows);
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
  }
}
