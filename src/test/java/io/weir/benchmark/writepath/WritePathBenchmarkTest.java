package io.weir.benchmark.writepath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.store.RateLimitedDirectory;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.OutputStreamIndexOutput;
import org.apache.lucene.store.RateLimitedIndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The benchmark run small, and that each route is what its name says. */
@Slow("measures for a given time")
@Timeout(120)
class WritePathBenchmarkTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, true, 1));

  @TempDir Path temporary;

  @Test
  void run_small_hasEveryRowAndLeavesNoFile() throws Exception {
    var results =
        new WritePathBenchmark()
            .measure(
                new WritePathBenchmark.Plan(2, 0, 0, 1, 2),
                new Conditions(true, temporary, new PrintStream(OutputStream.nullOutputStream())));

    List<List<String>> rows = WritePathBenchmark.table(results).rows();
    assertEquals(4 * 2 * 5, rows.size());
    assertEquals(List.of("writeByte", "nothing", "raw output"), rows.get(0).subList(0, 3));
    assertEquals(
        List.of("writeBytesOf64KiB", "file", "Weir, capped far above"), rows.get(39).subList(0, 3));
    for (List<String> row : rows) {
      assertTrue(Double.parseDouble(row.get(3)) > 0.01, () -> "nothing was written: " + row);
    }
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void route_leadsThroughWhatItsNameSays(Route route) throws Exception {
    try (Directory directory = route.to(Sink.FILE.open(temporary))) {
      IndexOutput output = directory.createOutput("_1.fdt", MERGE);
      output.writeInt(7);
      output.writeBytes(new byte[100_000], 100_000);
      boolean direct = output instanceof OutputStreamIndexOutput;
      assertEquals(route == Route.RAW, direct);
      if (!direct) {
        assertTrue(FilterIndexOutput.unwrap(output) instanceof OutputStreamIndexOutput);
      }
      assertEquals(
          route.name().startsWith("LUCENE"), output instanceof RateLimitedIndexOutput, "Lucene's");
      output.close();
      assertEquals(100_004, directory.fileLength("_1.fdt"));
      assertEquals(
          route.name().startsWith("WEIR"), directory instanceof RateLimitedDirectory, "ours");
      if (directory instanceof RateLimitedDirectory ours) {
        assertEquals(100_004, ours.budget().snapshot().grantedBytes());
        assertEquals(route == Route.WEIR_CAPPED, ours.budget().rate().isLimited());
      }
    }
  }

  @Test
  void sinkOfNothing_hasTheSameChecksumAsAFile() throws Exception {
    long[] checksums = new long[2];
    for (Sink sink : Sink.values()) {
      try (Directory directory = sink.open(temporary);
          IndexOutput output = directory.createOutput("_1.fdt", MERGE)) {
        output.writeLong(42);
        checksums[sink.ordinal()] = output.getChecksum();
      }
    }
    assertEquals(checksums[1], checksums[0]);
  }
}
