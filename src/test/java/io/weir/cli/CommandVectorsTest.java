package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.Status;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose documents have vectors, as a user meets it. */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandVectorsTest {

  @TempDir Path temp;

  @Test
  void stress_queriesForNeighboursOfTwoFormats_measuresRecallOfEach() throws Exception {
    Files.writeString(temp.resolve("q.txt"), queries());

    WeirProcess.Ended ended =
        WeirProcess.run(
            temp,
            ("stress --docs synthetic:2000 --vectors 16:90% --queries q.txt --index kept"
                    + " --arm float:preset=stock --arm bits:vector-format=binary --check-index"
                    + " --slo vectors.recall>0.05 --searches-per-second 100"
                    + " --updates-per-second 200 --warmup 300ms --before 400ms --after 300ms"
                    + " --out run")
                .split(" "));

    assertEquals(0, ended.exitCode(), ended.toString());
    RunFiles files = new RunFiles(temp.resolve("run"));
    RunSchema.assertValid(files.runJson());
    Run run = files.read();
    Part floats = arm(run, "float");
    Part bits = arm(run, "bits");
    assertTrue(recall(floats) > 0.7, floats.toString());
    assertTrue(recall(bits) < recall(floats), recall(bits) + " of bits");
    assertEquals(1800, floats.require(ArmFigures.VECTORS), 100, floats.toString());
    assertEquals("binary", bits.settings().get("vector-format"));
    assertEquals("16:90%", run.workload().get("vectors"));
    assertTrue(run.workload().containsKey("indexBytes-resident-binary"), run.workload().toString());
    for (Part arm : List.of(floats, bits)) {
      assertEquals(0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS), arm.toString());
      assertEquals(2000, arm.require(ArmFigures.CHECKED_DOCUMENTS), arm.toString());
      assertTrue(arm.latency(ArmFigures.SEARCH.latency(), Phase.BEFORE).count() > 0);
    }
    assertTrue(ended.out().contains("recall@10"), ended.out());
    try (Directory directory = FSDirectory.open(temp.resolve("kept-resident-binary"))) {
      assertTrue(DirectoryReader.indexExists(directory));
    }
  }

  /** So that no arm bears more load by finding less. */
  @Test
  void load_queriesForNeighboursOfTwoFormats_hasRecallOfEachBesideTheLoad() throws Exception {
    Files.writeString(temp.resolve("q.txt"), queries());

    WeirProcess.Ended ended =
        WeirProcess.run(
            temp,
            ("load --docs synthetic:2000 --vectors 16:90% --queries q.txt --index kept"
                    + " --arm float:preset=stock --arm bits:vector-format=binary"
                    + " --updates-per-second 200 --load 20 --step 500ms --warmup 300ms"
                    + " --limit 30s --out run")
                .split(" "));

    assertEquals(0, ended.exitCode(), ended.toString());
    RunFiles files = new RunFiles(temp.resolve("run"));
    RunSchema.assertValid(files.runJson());
    Run run = files.read();
    double floats = recall(arm(run, "float"));
    assertTrue(floats > 0.7, floats + " of floats");
    assertTrue(recall(arm(run, "bits")) < floats, recall(arm(run, "bits")) + " of bits");
    assertEquals(1800, arm(run, "bits").require(ArmFigures.VECTORS), 100);
    String share = String.format(Locale.ROOT, "%.2f", floats);
    assertTrue(ended.out().contains("recall@10"), ended.out());
    assertTrue(
        ended.out().lines().anyMatch(line -> line.matches("float: .*; recall@10 " + share + ".")),
        ended.out());
    assertTrue(Files.readString(temp.resolve("run/report.html")).contains("; recall@10 " + share));
  }

  /** Whatever the words are, there are documents nearest to them. */
  private static String queries() {
    return IntStream.range(0, 60)
        .mapToObj(i -> (i % 2 == 0 ? "knn: " : "hybrid: ") + "telling" + i + " OR words" + i)
        .collect(Collectors.joining("\n"));
  }

  private static Part arm(Run run, String name) {
    Part arm = run.rounds(name).getFirst();
    assertEquals(Status.DONE, arm.status(), arm.toString());
    return arm;
  }

  private static double recall(Part arm) {
    return arm.require(ArmFigures.RECALL);
  }
}
