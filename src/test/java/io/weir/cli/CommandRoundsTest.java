package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.exporter.Collector;
import io.weir.run.ArmFigures;
import io.weir.run.HeaderFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.Status;
import io.weir.stress.SmallIndex;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.queries.QueryDraw;
import io.weir.stress.queries.QueryFile;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One run of two rounds with objectives, of what engines do: soft deletes in compound files, Weir
 * beside stock Lucene. It searches for what a file holds, and its collector refuses all.
 */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandRoundsTest {

  private static final int REFUSED = 401;

  @TempDir static Path shared;
  private static WeirProcess.Ended ended;
  private static String collectorUrl;
  private static Run run;

  @TempDir Path temp;

  @BeforeAll
  static void run() throws Exception {
    Path index = SmallIndex.build(shared.resolve("kept"), 1000);
    Files.writeString(shared.resolve("two.txt"), "# in turns\n" + word(index) + "\nnowhere\n");
    try (Collector collector = new Collector()) {
      collector.answerWith(REFUSED);
      collectorUrl = collector.url().toString();
      ended =
          WeirProcess.run(
              shared,
              "stress",
              "--docs=synthetic:1000",
              "--index=kept",
              "--out=run",
              "--rounds=2",
              "--mode=soft-update",
              "--check-index",
              "--queries=two.txt",
              "--searches-per-second=200",
              "--otlp-url=" + collectorUrl,
              "--warmup=300ms",
              "--before=400ms",
              "--after=300ms",
              "--arm=stock: preset=stock, compound=always",
              "--arm=weir: compound=always",
              "--slo=reopen.p99 < 1h",
              "--slo=weir: merge.seconds < 0.0001x stock");
    }
    RunFiles files = new RunFiles(shared.resolve("run"));
    RunSchema.assertValid(files.runJson());
    run = files.read();
  }

  /**
   * The term that most documents have, so that some have it all through the run, whatever is
   * updated. A term drawn at random can be in a few, depending on the segments.
   */
  private static String word(Path index) throws Exception {
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      Path terms =
          Files.write(
              shared.resolve("words.txt"),
              QueryDraw.draw(reader, QuerySource.parse("heaviest:1"), 1, () -> false));
      return QueryFile.read(terms).queries().get(0).terms().get(0);
    }
  }

  private static List<Part> arms() {
    return run.measured().toList();
  }

  @Test
  void stress_softUpdatesOfCompoundFiles_startFromIndexesThatAreSo() throws Exception {
    for (String suffix : List.of("-compound", "-resident-compound")) {
      try (Directory directory = FSDirectory.open(shared.resolve("kept" + suffix))) {
        assertTrue(
            SegmentInfos.readLatestCommit(directory).asList().stream()
                .allMatch(segment -> segment.info.getUseCompoundFile()),
            suffix);
      }
      assertTrue(run.workload().containsKey("indexBytes" + suffix), run.workload().toString());
    }
    for (Part arm : arms()) {
      assertEquals(Status.DONE, arm.status(), arm.toString());
      assertEquals(1000, arm.require(ArmFigures.CHECKED_DOCUMENTS), arm.name());
      assertEquals("soft-update", arm.settings().get("mode"));
      assertEquals("always", arm.settings().get("compound"));
    }
  }

  @Test
  void stress_roundsAndObjectives_areComparedAndOneMissedEndsWithThree() throws Exception {
    assertEquals(3, ended.exitCode(), ended.toString());
    assertEquals(
        List.of("stock1", "weir1", "stock2", "weir2"),
        run.parts().stream().map(arm -> arm.name() + arm.round()).toList());
    assertEquals(
        "1: stock, 1: weir, 2: stock, 2: weir".length(), run.workload().get("order").length());
    assertEquals(
        List.of(
            "reopen.p99 < 1h stock true",
            "reopen.p99 < 1h weir true",
            "weir: merge.seconds < 0.0001x stock weir false"),
        run.slos().stream().map(slo -> slo.slo() + " " + slo.arm() + " " + slo.met()).toList());
    assertTrue(ended.out().contains("Difference from the first arm"), ended.toString());
    assertTrue(ended.out().contains("Objectives, by the median of rounds"), ended.toString());
    assertTrue(
        Files.readString(shared.resolve("run/slo.xml")).contains("tests=\"3\" failures=\"1\""));
  }

  @Test
  void report_runsOfTheSameWorkOnly_areCompared() throws Exception {
    String json = Files.readString(shared.resolve("run/run.json"));
    String sha256 = run.values().require(HeaderFigures.QUERIES_SHA256);

    WeirProcess.Ended compared = reportBeside(json);
    assertEquals(0, compared.exitCode(), compared.toString());
    // A busy machine may not bear the load of this run, which is then said first.
    assertTrue(
        compared.out().contains("stock: Difference from the first run, all rounds ("),
        compared.toString());

    WeirProcess.Ended otherDocuments =
        reportBeside(json.replace("synthetic:1000", "synthetic:1001"));
    assertEquals(2, otherDocuments.exitCode(), otherDocuments.toString());
    assertTrue(
        otherDocuments
            .err()
            .endsWith(" they must have the same\n  docs: synthetic:1000, then synthetic:1001\n"),
        otherDocuments.toString());

    WeirProcess.Ended otherQueries =
        reportBeside(json.replace(sha256, new StringBuilder(sha256).reverse()));
    assertEquals(2, otherQueries.exitCode(), otherQueries.toString());
    assertTrue(
        otherQueries.err().contains("  queries: file, 2 with sha256 " + sha256 + ", then file, 2"),
        otherQueries.toString());
  }

  /** It wrote no page. */
  @Test
  void report_ofTwoRuns_writesAPageOfWhatChanged() throws Exception {
    String json = Files.readString(shared.resolve("run/run.json"));

    WeirProcess.Ended compared = reportBeside(json);
    Path page = temp.resolve("other/comparison.html");
    assertEquals(0, compared.exitCode(), compared.toString());
    assertEquals("report: " + page + "\n", compared.err());
    String html = Files.readString(page);
    assertTrue(html.contains("<h1>What changed between runs</h1>"));
    assertTrue(html.contains("Difference from the first run, all rounds"));
    assertTrue(html.contains("data-curves=\"reopens\""), "the curves of both");

    Path named = temp.resolve("named.html");
    String[] runs = {shared.resolve("run").toString(), temp.resolve("other").toString()};
    assertEquals(
        0, InProcess.run("report", runs[0], runs[1], "--out", named.toString()).exitCode());
    assertEquals(html, Files.readString(named));
    WeirProcess.Ended one = InProcess.run("report", runs[0], "--out", named.toString());
    assertEquals(2, one.exitCode(), one.toString());
    assertTrue(one.err().startsWith("weir: --out must come with two RUNs or more: "), one.err());
    Path nowhere = named.resolve("page.html"); // below a file
    WeirProcess.Ended full = InProcess.run("report", runs[0], runs[1], "--out", nowhere.toString());
    assertEquals(1, full.exitCode(), full.toString());
    assertEquals(compared.out(), full.out(), "the figures are printed in any case");
    assertTrue(full.err().startsWith("weir: " + nowhere + " cannot be written ("), full.err());
  }

  private WeirProcess.Ended reportBeside(String json) throws Exception {
    Path other = Files.createDirectories(temp.resolve("other"));
    Files.writeString(other.resolve("run.json"), json);
    return InProcess.run("report", shared.resolve("run").toString(), other.toString());
  }

  /**
   * The first is found, the second is not: half of all searches, but for those that several threads
   * begin at the same time as the warm-up ends.
   */
  @Test
  void stress_fileOfTwoQueries_isSearchedInTurnsByEachArm() {
    for (Part arm : arms()) {
      long searches = arm.require(ArmFigures.SEARCHES);
      assertTrue(searches > 50, arm.toString());
      assertEquals(
          searches / 2.0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS), 3, arm.toString());
    }
    assertEquals(2, run.values().require(HeaderFigures.QUERIES_COUNT));
  }

  @Test
  void stress_aCollectorThatRefuses_isToldOfAndFailsNothing() {
    assertTrue(
        ended.toString().contains("pushes of meters to " + collectorUrl + " failed"),
        ended.toString());
    assertTrue(ended.toString().contains(Integer.toString(REFUSED)), ended.toString());
    assertTrue(run.parts().stream().allMatch(arm -> arm.status() == Status.DONE), ended.toString());
  }
}
