package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.HeaderFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.stress.SmallIndex;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.queries.QueryDraw;
import io.weir.stress.queries.QueryFile;
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
  private static Run ofTwo;
  private static Run ofThree;

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
    Run drawn =
        run(temp, "drawn", "--queries", "mixed", "--rounds", "2", "--arm", WEIR, "--arm", STOCK);

    Path text = temp.resolve("drawn/queries.txt");
    assertQueries("mixed", text, drawn);
    assertEquals(2000, QueryFile.read(text).queries().size());
    List<String> lines = Files.readAllLines(text);
    assertTrue(lines.get(1).startsWith("# mixed, seed 1: 50 % single terms, "), lines.get(1));
    for (String operator : List.of(" AND ", " OR ", " AND NOT ")) {
      assertTrue(lines.stream().skip(4).anyMatch(line -> line.contains(operator)), operator);
    }
    for (Part arm : drawn.measured().toList()) {
      assertTrue(arm.require(ArmFigures.SEARCHES) > 50, arm.toString());
      assertEquals(List.of(), nothingFound(arm));
    }

    Run replayed =
        run(temp, "replayed", "--queries", "drawn/queries.txt", "--arm", WEIR, "--arm", STOCK);
    assertArrayEquals(
        Files.readAllBytes(text), Files.readAllBytes(temp.resolve("replayed/queries.txt")));
    assertQueries("file", text, replayed);
    WeirProcess.Ended compared =
        InProcess.run(
            "report", temp.resolve("drawn").toString(), temp.resolve("replayed").toString());
    assertEquals(0, compared.exitCode(), compared.toString());

    Run again = run(temp, "again", "--queries", "mixed", "--arm", STOCK);
    assertEquals(
        drawn.values().get(HeaderFigures.QUERIES_SHA256),
        again.values().get(HeaderFigures.QUERIES_SHA256));
  }

  /**
   * The first is found, the second is not: half of all searches, but for those that several threads
   * begin at the same time as the warm-up ends.
   */
  @Test
  void stress_fileOfTwoQueries_isSearchedInTurnsByEachArm() {
    for (Part arm : ofTwo.measured().toList()) {
      long searches = arm.require(ArmFigures.SEARCHES);
      assertTrue(searches > 50, arm.toString());
      assertEquals(
          searches / 2.0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS), 3, arm.toString());
    }
    assertEquals(2, ofTwo.values().require(HeaderFigures.QUERIES_COUNT));
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
            .contains(
                "  queries: file, 2 with sha256 "
                    + ofTwo.values().require(HeaderFigures.QUERIES_SHA256)),
        refused.toString());
  }

  @Test
  void stress_queriesOfAnotherIndex_warnsThatTheyFindNothing() {
    Part arm = ofThree.parts().get(0);
    assertEquals(
        List.of(
            "%d of %d searches found no document, and so had nothing to read"
                .formatted(
                    arm.require(ArmFigures.SEARCHES_WITHOUT_HITS),
                    arm.require(ArmFigures.SEARCHES))),
        nothingFound(arm));
  }

  private static void assertQueries(String kind, Path text, Run run) throws Exception {
    assertEquals(kind, run.values().require(HeaderFigures.QUERIES_KIND));
    assertEquals(2000, run.values().require(HeaderFigures.QUERIES_COUNT));
    assertEquals(sha256(text), run.values().require(HeaderFigures.QUERIES_SHA256));
  }

  /** Warnings of that; a busy machine may give others. */
  private static List<String> nothingFound(Part arm) {
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

  private static Run run(Path directory, String out, String... more) throws Exception {
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
    Run run = files.read();
    assertTrue(run.parts().stream().allMatch(arm -> arm.status() == Status.DONE), ended.toString());
    return run;
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }
}
