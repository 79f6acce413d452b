package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.Status;
import io.weir.stress.Await;
import io.weir.stress.engine.RunningSolr;
import io.weir.suite.Distribution;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir stress --target solr:URL/COLLECTION} against a real server. */
@Slow("starts a real server")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // the last one ends the server
class CommandSolrTargetIT {

  @TempDir static Path shared;
  private static RunningSolr solr;

  @TempDir Path temp;

  @BeforeAll
  static void startServer() throws Exception {
    Path distribution = Distribution.of("solr");
    if (Files.getFileStore(shared).supportsFileAttributeView("posix")) {
      // A server that does not run as root must be able to enter it.
      Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    solr = RunningSolr.start(distribution, shared);
  }

  @AfterAll
  static void endServer() {
    if (solr != null) {
      solr.close();
    }
  }

  @Test
  @Order(1)
  void stress_aTargetThatItCannotUse_isOneLineAndExitCode2() throws Exception {
    String updates = "--updates-per-second=10";
    assertRefused(
        "there is no core or collection nowhere at " + solr.url(), solr.url() + "/nowhere");
    String elsewhere = solr.url().toString().replace("/solr", "");
    assertRefused("no Solr answers at " + elsewhere, elsewhere + "/" + RunningSolr.PRODUCTS);
    assertRefused("the schema must have a uniqueKey", core(RunningSolr.KEYLESS), updates);
    assertRefused("the schema must have the dynamic fields", core(RunningSolr.PRODUCTS), updates);
    assertRefused(
        "--queries must be a file for documents that are not of weir stress: products",
        core(RunningSolr.PRODUCTS));
    assertRefused("empty at " + solr.url() + " has no documents", core(RunningSolr.EMPTY));
    assertRefused(
        "vectors need documents that weir stress has filled from synthetic:9 (seed 1, vectors 16):"
            + " empty holds none of a run",
        core(RunningSolr.EMPTY),
        "--docs=synthetic:9",
        "--vectors=16");
    assertRefused(
        "the schema must have a stored field \"vector\" of a type with class solr.DenseVectorField,"
            + " vectorDimension=8 and similarityFunction=dot_product",
        core(RunningSolr.EMPTY),
        updates,
        "--vectors=8");
  }

  private void assertRefused(String message, String target, String... more) throws Exception {
    WeirProcess.Ended ended = stress(target, "--dry-run", more);

    assertEquals(2, ended.exitCode(), ended.toString());
    assertTrue(ended.err().contains(message), ended.toString());
    assertFalse(ended.err().contains("\tat "), ended.toString());
  }

  @Test
  @Order(2)
  void stress_aCollectionOfTheUsers_isOnlySearched() throws Exception {
    long commits = solr.commits(RunningSolr.PRODUCTS);
    Files.writeString(temp.resolve("words.txt"), "word1\nword2 AND NOT word3\n");

    WeirProcess.Ended ended =
        stress(core(RunningSolr.PRODUCTS), "--searches-per-second=50", "--queries=words.txt");

    assertEquals(0, ended.exitCode(), ended.toString());
    assertTrue(
        ended
            .err()
            .contains(
                "weir: this run uses products at "
                    + solr.url()
                    + ", whose documents it does not change: 50 searches a second, nothing else"),
        ended.toString());
    Part arm = arm();
    assertEquals(0, arm.latency(ArmFigures.REOPEN, Phase.BEFORE).count(), arm.toString());
    assertTrue(arm.get(ArmFigures.UPDATE.asked(), Phase.BEFORE).isEmpty());
    assertEquals("none", arm.require(MergeFigures.KIND));
    assertTrue(arm.require(ArmFigures.SEARCHES) > 10, arm.toString());
    assertEquals(0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS));
    assertEquals(50, solr.documents(RunningSolr.PRODUCTS));
    assertEquals(commits, solr.commits(RunningSolr.PRODUCTS));
  }

  @Test
  @Order(2)
  void load_aCollectionOfTheUsers_isOnlySearched() throws Exception {
    long commits = solr.commits(RunningSolr.PRODUCTS);

    long answered =
        TargetLoad.search(temp, core(RunningSolr.PRODUCTS) + "/select", "word1", "*:* -word3");

    assertTrue(answered > 0, "answered: " + answered);
    assertEquals(50, solr.documents(RunningSolr.PRODUCTS));
    assertEquals(commits, solr.commits(RunningSolr.PRODUCTS));
  }

  @Test
  @Order(2)
  void why_aServer_answersWithItsVersion() throws Exception {
    String server = "solr:" + solr.url();

    assertTrue(TargetWhy.version(temp, server, "solr-core").startsWith("9."));
  }

  @Test
  @Order(3)
  void stress_interruptedWhileItFills_leavesTheCollectionEmpty() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(
            temp,
            arguments(core(RunningSolr.EMPTY), "--docs=synthetic", "--updates-per-second=20"))) {
      Await.until("it fills", () -> solr.isMarked(RunningSolr.EMPTY));
      weir.signal("INT", weir.children().toArray(ProcessHandle[]::new));
      assertEquals(130, weir.await().exitCode());
    }

    assertEquals(0, solr.documents(RunningSolr.EMPTY));
    assertFalse(solr.isMarked(RunningSolr.EMPTY));
  }

  @Test
  @Order(4)
  void stress_anEmptyCollection_isFilledOnceAndMeasured() throws Exception {
    String[] load = {
      "--docs=synthetic:500",
      "--updates-per-second=100",
      "--reopens-per-second=5",
      "--merge=forced",
      "--vectors=" + RunningSolr.DIMS,
      "--queries=mixed-with-vectors.txt"
    };
    Files.writeString(
        temp.resolve("mixed-with-vectors.txt"), "knn: word OR other\nhybrid: a OR b\n");

    WeirProcess.Ended ended = stress(core(RunningSolr.EMPTY), "--commits-per-minute=60", load);

    assertEquals(0, ended.exitCode(), ended.toString());
    RunSchema.assertValid(temp.resolve("out/run.json"));
    Part arm = arm();
    assertEquals(Status.DONE, arm.status(), ended.toString());
    assertTrue(arm.settings().get("engine").startsWith("solr 9."), arm.settings().toString());
    assertTrue(MergeFigures.isMerged(arm), arm.toString());
    assertTrue(arm.latency(ArmFigures.REOPEN, Phase.BEFORE).count() >= 3, arm.toString());
    assertTrue(arm.latency(ArmFigures.VISIBLE, Phase.BEFORE).count() > 0, arm.toString());
    assertTrue(!arm.require(ArmFigures.GC_COLLECTORS).isEmpty(), arm.toString());
    assertEquals(0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS), arm.toString());
    assertEquals(500, arm.require(ArmFigures.VECTORS), arm.toString());
    assertTrue(arm.require(ArmFigures.RECALL) > 0.6, arm.toString());
    assertEquals(501, solr.documents(RunningSolr.EMPTY)); // one says that a run filled it

    TargetLoad.findNeighboursUnderLoad(
        Files.createDirectory(temp.resolve("load")),
        core(RunningSolr.EMPTY) + "/select",
        "synthetic:500",
        Integer.toString(RunningSolr.DIMS));
    assertEquals(501, solr.documents(RunningSolr.EMPTY));

    WeirProcess.Ended other =
        WeirProcess.run(
            Files.createDirectory(temp.resolve("other")),
            arguments(core(RunningSolr.EMPTY), "--dry-run", "--docs=synthetic:400", load[1]));
    assertEquals(2, other.exitCode(), other.toString());
    assertTrue(other.err().contains("the index empty holds synthetic:500"), other.toString());
  }

  @Test
  @Order(5)
  void stress_aServerThatEndsInTheMiddle_isExitCode1WithTheReason() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(
            temp,
            arguments(
                core(RunningSolr.EMPTY),
                "--docs=synthetic:500",
                "--vectors=" + RunningSolr.DIMS,
                "--updates-per-second=10",
                "--merge=none",
                "--during=60s"))) {
      weir.awaitProgress("without a merge"); // the phase before may pass between two lines
      solr.close();
      WeirProcess.Ended ended = weir.await();

      assertEquals(1, ended.exitCode(), ended.toString());
      assertTrue(
          ended.err().contains("was answered with 503: Error 503 Service Unavailable")
              || ended.err().contains("has no answer: ")
              || ended.err().contains("no server answers at " + solr.url()),
          ended.toString());
    }
  }

  private static String core(String name) {
    return solr.url() + "/" + name;
  }

  private Part arm() throws Exception {
    return new RunFiles(temp.resolve("out")).read().parts().getFirst();
  }

  private WeirProcess.Ended stress(String target, String first, String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of(more));
    all.addFirst(first);
    return WeirProcess.run(temp, arguments(target, all.toArray(String[]::new)));
  }

  private static String[] arguments(String target, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "stress",
                "--target=solr:" + target,
                "--out=out",
                "--warmup=300ms",
                "--before=1s",
                "--after=500ms"));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--during=60s")) {
      arguments.add("--during=500ms");
    }
    return arguments.toArray(String[]::new);
  }
}
