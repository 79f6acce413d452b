package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.RunSchema;
import io.weir.stress.SmallIndex;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.queries.QueryDraw;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.QueriesResult;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SearchHits;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs search for: drawn, kept, and given back. */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandQueriesTest {

  private static final String WEIR = "weir: cap=off";
  private static final String STOCK = "stock: preset=stock";

  @TempDir static Path shared;
  private static Path index;
  private static RunResult ofTwo;
  private static RunResult ofThree;

  @TempDir Path temp;

  /** Two runs for several tests; in each, the first query of the file is found, the others not. */
  @BeforeAll
  static void searchForWhatFilesHold() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), 1000, IndexLayout.PLAIN);
    String word = word();
    Files.writeString(shared.resolve("two.txt"), "# in turns\n" + word + "\nnowhere\n");
    Files.writeString(shared.resolve("three.txt"), word + "\nnowhere\nneither OR nor\n");
    ofTwo = run(shared, "two", "--queries", "two.txt", "--arm", WEIR, "--arm", STOCK);
    ofThree = run(shared, "three", "--queries", "three.txt", "--arm", STOCK);
  }

  /** Two arms, two layouts of the index, two rounds: one file, and it can be given back. */
  @Test
  void stress_mixedAndItsReplay_searchForTheSameAndCanBeCompared() throws Exception {
    RunResult drawn =
        run(temp, "drawn", "--queries", "mixed", "--rounds", "2", "--arm", WEIR, "--arm", STOCK);

    Path text = temp.resolve("drawn/queries.txt");
    assertEquals(new QueriesResult("mixed", 2000, sha256(text)), drawn.queries().orElseThrow());
    assertEquals(2000, QueryFile.read(text).queries().size());
    List<String> lines = Files.readAllLines(text);
    assertTrue(lines.get(1).startsWith("# mixed, seed 1: 50 % single terms, "), lines.get(1));
    for (String operator : List.of(" AND ", " OR ", " AND NOT ")) {
      assertTrue(lines.stream().skip(4).anyMatch(line -> line.contains(operator)), operator);
    }
    for (MeasuredArm arm : ArmResult.measured(drawn.arms()).toList()) {
      assertTrue(arm.searchHits().orElseThrow().searches() > 50, arm.searchHits().toString());
      assertEquals(List.of(), nothingFound(arm));
    }

    RunResult replayed =
        run(temp, "replayed", "--queries", "drawn/queries.txt", "--arm", WEIR, "--arm", STOCK);
    assertArrayEquals(
        Files.readAllBytes(text), Files.readAllBytes(temp.resolve("replayed/queries.txt")));
    assertEquals(new QueriesResult("file", 2000, sha256(text)), replayed.queries().orElseThrow());
    WeirProcess.Ended compared =
        InProcess.run(
            "report", temp.resolve("drawn").toString(), temp.resolve("replayed").toString());
    assertEquals(0, compared.exitCode(), compared.toString());

    RunResult again = run(temp, "again", "--queries", "mixed", "--arm", STOCK);
    assertEquals(drawn.queries(), again.queries());
  }

  /**
   * The first is found, the second is not: half of all searches, but for those that several threads
   * begin at the same time as the warm-up ends.
   */
  @Test
  void stress_fileOfTwoQueries_isSearchedInTurnsByEachArm() {
    for (MeasuredArm arm : ArmResult.measured(ofTwo.arms()).toList()) {
      SearchHits hits = arm.searchHits().orElseThrow();
      assertTrue(hits.searches() > 50, hits.toString());
      assertEquals(hits.searches() / 2.0, hits.withoutHits(), 3, hits.toString());
    }
    assertEquals(2, ofTwo.queries().orElseThrow().count());
  }

  @Test
  void report_runsThatSearchedForSomethingElse_areNotCompared() throws Exception {
    WeirProcess.Ended refused =
        InProcess.run(
            "report", shared.resolve("two").toString(), shared.resolve("three").toString());

    assertEquals(2, refused.exitCode(), refused.toString());
    assertTrue(
        refused
            .err()
            .contains("  queries: file, 2 with sha256 " + ofTwo.queries().orElseThrow().sha256()),
        refused.toString());
  }

  @Test
  void stress_queriesOfAnotherIndex_warnsThatTheyFindNothing() {
    MeasuredArm arm = ofThree.arms().get(0).figures().orElseThrow();
    assertEquals(
        List.of(
            "%d of %d searches found no document, and so had nothing to read"
                .formatted(
                    arm.searchHits().orElseThrow().withoutHits(),
                    arm.searchHits().orElseThrow().searches())),
        nothingFound(arm));
  }

  /** Warnings of that; a busy machine may give others. */
  private static List<String> nothingFound(MeasuredArm arm) {
    return arm.warnings().stream()
        .map(RunWarning::what)
        .filter(what -> what.contains("found no document"))
        .toList();
  }

  /**
   * The term that most documents have, so that some have it all through the run, whatever is
   * updated. A term drawn at random can be in a few, depending on the segments.
   */
  private static String word() throws Exception {
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      Path terms =
          Files.write(
              shared.resolve("words.txt"),
              QueryDraw.draw(reader, QuerySource.parse("heaviest:1"), 1, () -> false));
      return QueryFile.read(terms).queries().get(0).terms().get(0);
    }
  }

  private static RunResult run(Path directory, String out, String... more) throws Exception {
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
    WeirProcess.Ended ended = WeirProcess.run(directory, arguments.toArray(String[]::new));
    assertEquals(0, ended.exitCode(), ended.toString());
    RunFiles files = new RunFiles(directory.resolve(out));
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
