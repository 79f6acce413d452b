package io.weir.benchmark.operationscap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.CountedDisk;
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
class OperationsCapBenchmarkTest {

  @TempDir Path directory;

  @Test
  void run_quick_hasALineForEachMerge_andLeavesNoFile() throws Exception {
    Optional<String> obstacle = CountedDisk.obstacle(directory);
    assumeTrue(obstacle.isEmpty(), () -> "SKIPPED: " + obstacle.orElseThrow());
    Conditions conditions =
        new Conditions(true, directory, new PrintStream(OutputStream.nullOutputStream()));

    List<List<String>> rows = new OperationsCapBenchmark().run(conditions).rows();

    assertEquals(List.of("no cap", "cap, run 1"), rows.stream().map(List::getFirst).toList());
    assertTrue(rows.stream().allMatch(row -> Double.parseDouble(row.get(2)) > 0), () -> "" + rows);
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
  }
}
