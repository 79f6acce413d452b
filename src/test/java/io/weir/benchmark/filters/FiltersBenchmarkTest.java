package io.weir.benchmark.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short run measures, and leaves the index and the picture alone behind. */
class FiltersBenchmarkTest {

  @TempDir Path directory;

  @Test
  void pauses_areThoseOfEachCollector() {
    List<GcLog.Pause> pauses =
        GcLog.pauses(
            List.of(
                "[0.005s] Using G1",
                "[1.250s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(260M) 3.125ms",
                "[1.250s] GC(0)   Evacuate Collection Set: 2.0ms",
                "[2.500s] GC(1) Concurrent Mark Cycle 11.0ms",
                "[3.000s] GC(2) Y: Pause Mark Start (Major) 0.012ms",
                "[4.000s] GC(2) Major Collection (Proactive) 100M(5%)->50M(2%) 0.100s"));
    assertEquals(List.of(new GcLog.Pause(1.25, 3.125), new GcLog.Pause(3, 0.012)), pauses);
  }

  @Test
  @Slow("starts a JVM for each arm")
  @Timeout(60)
  void run_quick_measuresBothCachesAndDrawsTheHeap() throws Exception {
    Path picture = directory.resolve("heap.svg");
    Conditions conditions =
        new Conditions(
            true,
            directory,
            new PrintStream(OutputStream.nullOutputStream()),
            Map.of(
                "arms", "stock,off-heap-small",
                "documents", "40000",
                "seconds", "1",
                "index", directory.resolve("index").toString(),
                "picture", picture.toString()));

    List<List<String>> rows = new FiltersBenchmark().run(conditions).rows();

    assertEquals(List.of("stock", "off-heap-small"), rows.stream().map(List::getFirst).toList());
    for (List<String> row : rows) {
      assertTrue(Double.parseDouble(row.get(1)) > 0, row.toString());
      assertTrue(Double.parseDouble(row.get(11)) > 50, row.toString());
    }
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(picture.toFile());
    try (var left = Files.list(directory)) {
      assertEquals(
          List.of("heap.svg", "index"),
          left.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }
}
