package io.weir.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of the benchmarks. */
@Timeout(300)
class BenchmarkMainTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path temporary;

  @ParameterizedTest
  @ValueSource(strings = {"", "--help", "accuracy --help"})
  void run_noNameOrHelp_listsEachBenchmarkInALine(String arguments) throws Exception {
    assertEquals(BenchmarkMain.DONE, run(arguments));

    List<String> lines = out.toString(UTF_8).lines().toList();
    for (String name :
        List.of(
            "write-path",
            "accuracy",
            "grants",
            "forced-merge",
            "bulk-indexing",
            "engine-bulk",
            "resident-keys",
            "false-alarms",
            "filters",
            "merge-audit",
            "headlines",
            "why-trials",
            "why-cost")) {
      assertEquals(
          1, lines.stream().filter(line -> line.startsWith("  " + name + " ")).count(), name);
    }
    assertTrue(lines.stream().allMatch(line -> line.length() <= 100), () -> "" + lines);
    assertEquals("", err.toString(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown",
        "filters --collector cms",
        "filters --arms none",
        "filters --runs 0",
        "merge-audit --documents 1",
        "merge-audit --runs 0",
        "accuracy --fast",
        "accuracy grants",
        "accuracy --dir",
        "accuracy --rounds 3",
        "bulk-indexing --rounds few",
        "bulk-indexing --arms none",
        "bulk-indexing --arms no-brakes",
        "bulk-indexing --rounds 0",
        "engine-bulk --pairs 0",
        "accuracy --list",
        "headlines --list --only nowhere",
        "headlines --rounds 0",
        "why-trials --list --only nowhere",
        "why-trials --runs 0",
        "why-cost --pairs 0",
        "why-cost --target solr"
      })
  void run_askedWrongly_saysSoInOneLineAndMeasuresNothing(String arguments) throws Exception {
    assertEquals(BenchmarkMain.USAGE, run(arguments));

    assertEquals("", out.toString(UTF_8));
    assertEquals(1, err.toString(UTF_8).lines().count());
  }

  @Test
  @Slow("measures for a given time")
  void run_quick_printsTheTableAloneAndLeavesNoFile() throws Exception {
    Path directory = temporary.resolve("made/for it");
    assertEquals(
        BenchmarkMain.DONE,
        run(new String[] {"forced-merge", "--quick", "--dir", directory.toString()}));

    String table = out.toString(UTF_8);
    assertTrue(table.startsWith("forced-merge: 3 pairs, an index of "), table);
    assertTrue(table.contains("\nplain Lucene  "), table);
    assertTrue(table.contains("\nWeir, unlimited  "), table);
    assertTrue(err.toString(UTF_8).contains("pair 3, "), err.toString(UTF_8));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
  }

  private int run(String arguments) throws Exception {
    return run(arguments.isEmpty() ? new String[0] : arguments.split(" "));
  }

  private int run(String[] arguments) throws Exception {
    return BenchmarkMain.run(
        arguments, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }
}
