package io.weir.benchmark.mergeaudit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Slow("measures for a given time")
class MergeAuditBenchmarkTest {

  @TempDir Path directory;

  @Test
  void run_quick_hasALineForEachMerge_andLeavesNoFile() throws Exception {
    Optional<String> obstacle = MergeAuditBenchmark.obstacle(directory);
    assumeTrue(obstacle.isEmpty(), () -> "SKIPPED: " + obstacle.orElseThrow());
    Conditions conditions =
        new Conditions(true, directory, new PrintStream(OutputStream.nullOutputStream()));

    List<List<String>> rows = new MergeAuditBenchmark().run(conditions).rows();

    assertEquals(
        List.of("Lucene, run 1", "Weir, run 1"), rows.stream().map(List::getFirst).toList());
    List<String> weir = rows.getLast();
    double chargedRead = Double.parseDouble(weir.get(4));
    assertEquals(Double.parseDouble(weir.get(3)), chargedRead, 0.03 * chargedRead, () -> "" + rows);
    assertTrue(Double.parseDouble(weir.get(6)) > 0, () -> "" + rows);
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void table_ofKnownFigures_hasTheirRatios() {
    AuditedMerge merge =
        new AuditedMerge(
            2.5,
            Optional.of(new AuditedMerge.Charged(98_000_000, 50_000_000)),
            100_000_000,
            new DeviceBytes(110_000_000, 90_000_000));

    List<String> row =
        MergeAuditBenchmark.table(50_000_000, List.of(new MergeAuditBenchmark.Row("Weir", merge)))
            .rows()
            .getFirst();

    assertEquals(
        List.of("Weir", "2.5", "110.0", "100.0", "98.0", "90.0", "50.0", "0.980", "0.740", "2.000"),
        row);
  }

  @Test
  void deviceBytes_areThoseOfItsSectors() {
    String stat = " 12 3 4096 5   6 7 2048 8   0 9 10 0 0 0 0\n";

    assertEquals(new DeviceBytes(2_097_152, 1_048_576), DeviceBytes.parse(stat));
  }
}
