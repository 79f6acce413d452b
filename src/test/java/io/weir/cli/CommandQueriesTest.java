package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.RunSchema;
import io.weir.stress.SmallIndex;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.QueriesResult;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SearchHits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs search for: drawn, kept, and given back. */
class CommandQueriesTest {

  @TempDir static Path shared;
  private static Path index;

  @TempDir Path temp;

  @BeforeAll
  static void build() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), 1000, IndexLayout.PLAIN);
  }

  /** Two arms, two layouts of the index, two rounds: one file, and it can be given back. */
  @Test
  void stress_mixedAndItsReplay_searchForTheSameAndCanBeCompared() throws Exception {
    RunResult drawn =
        run(
            "drawn",
            "--queries",
            "mixed",
            "--rounds",
            "2",
            "--arm",
            "weir: cap=off",
            "--arm",
            "stock: preset=stock");

    Path text = temp.resolve("drawn/queries.txt");
    assertEquals(new QueriesResult("mixed", 2000, sha256(text)), drawn.queries());
    assertEquals(2000, QueryFile.read(text).queries().size());
    List<String> lines = Files.readAllLines(text);
    assertTrue(lines.get(1).startsWith("# mixed, seed 1: 50 % single terms, "), lines.get(1));
    for (String operator : List.of(" AND ", " OR ", " AND NOT ")) {
      assertTrue(lines.stream().skip(4).anyMatch(line -> line.contains(operator)), operator);
    }
    for (ArmResult arm : drawn.arms()) {
      assertTrue(arm.searchHits().searches() > 50, arm.searchHits().toString());
      assertEquals(List.of(), nothingFound(arm));
    }

    RunResult replayed =
        run(
            "replayed",
            "--queries",
            "drawn/queries.txt",
            "--arm",
            "weir: cap=off",
            "--arm",
            "stock: preset=stock");
    assertArrayEquals(
        Files.readAllBytes(text), Files.readAllBytes(temp.resolve("replayed/queries.txt")));
    assertEquals(new QueriesResult("file", 2000, sha256(text)), replayed.queries());
    WeirProcess.Ended compared = WeirProcess.run(temp, "report", "drawn", "replayed");
    assertEquals(0, compared.exitCode(), compared.toString());

    RunResult again = run("again", "--queries", "mixed", "--arm", "stock: preset=stock");
    assertEquals(drawn.queries(), again.queries());
  }

  /**
   * The first is found, the second is not: half of all searches, but for those that several threads
   * begin at the same time as the warm-up ends.
   */
  @Test
  void stress_fileOfTwoQueries_isSearchedInTurnsByEachArm() throws Exception {
    Files.writeString(temp.resolve("q.txt"), "# in turns\n" + word() + "\nnowhere\n");

    RunResult run =
        run("run", "--queries", "q.txt", "--arm", "weir: cap=off", "--arm", "stock: preset=stock");

    for (ArmResult arm : run.arms()) {
      SearchHits hits = arm.searchHits();
      assertTrue(hits.searches() > 50, hits.toString());
      assertEquals(hits.searches() / 2.0, hits.withoutHits(), 3, hits.toString());
    }
    assertEquals(2, run.queries().count());

    WeirProcess.Ended refused = compareWithTerms();
    assertEquals(2, refused.exitCode(), refused.toString());
    assertTrue(
        refused.err().contains("  queries: file, 2 with sha256 " + run.queries().sha256()),
        refused.toString());
  }

  private WeirProcess.Ended compareWithTerms() throws Exception {
    RunResult terms = run("terms", "--arm", "weir: cap=off");
    assertEquals("terms", terms.queries().kind());
    return WeirProcess.run(temp, "report", "run", "terms");
  }

  @Test
  void stress_queriesOfAnotherIndex_warnsThatTheyFindNothing() throws Exception {
    Files.writeString(temp.resolve("q.txt"), word() + "\nnowhere\nneither OR nor\n");

    RunResult run = run("run", "--queries", "q.txt", "--arm", "stock: preset=stock");

    ArmResult arm = run.arms().get(0);
    assertEquals(
        List.of(
            "%d of %d searches found no document, and so had nothing to read"
                .formatted(arm.searchHits().withoutHits(), arm.searchHits().searches())),
        nothingFound(arm));
  }

  /** Warnings of that; a busy machine may give others. */
  private static List<String> nothingFound(ArmResult arm) {
    return arm.warnings().stream()
        .map(RunWarning::what)
        .filter(what -> what.contains("found no document"))
        .toList();
  }

  /** A term that the index has, often enough to be found all through the run. */
  private String word() throws Exception {
    Path terms = SmallIndex.queries(index, temp.resolve("words.txt"));
    return QueryFile.read(terms).queries().get(0).terms().get(0);
  }

  private RunResult run(String out, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "stress",
                "--docs",
                "synthetic:1000",
                "--index",
                index.toString(),
                "--searches-per-second",
                "200",
                "--warmup",
                "300ms",
                "--before",
                "400ms",
                "--after",
                "300ms",
                "--out",
                out));
    arguments.addAll(List.of(more));
    WeirProcess.Ended ended = WeirProcess.run(temp, arguments.toArray(String[]::new));
    assertEquals(0, ended.exitCode(), ended.toString());
    RunFiles files = new RunFiles(temp.resolve(out));
    RunSchema.assertValid(files.runJson());
    RunResult run = files.readRun();
    assertTrue(
        run.arms().stream().allMatch(arm -> arm.status() == ArmStatus.DONE), ended.toString());
    return run;
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }
}
