package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.RunFiles;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code weir load} and {@code weir stress} with {@code --target}, on a server that runs. */
public final class TargetLoad {

  private TargetLoad() {}

  /**
   * Searches a server that bears it: 20 times a second, then 40.
   *
   * @param directory empty
   * @param address of its queries
   * @param queries in its own syntax
   * @return the searches that were answered, without those of the warm-up
   */
  public static long search(Path directory, String address, String... queries) throws Exception {
    Files.write(directory.resolve("queries.txt"), List.of(queries));

    WeirProcess.Ended ended =
        WeirProcess.run(
            directory,
            "load",
            "--target=" + address,
            "--queries=queries.txt",
            "--load=20,40",
            "--step=1s",
            "--warmup=3s", // its first query may be the server's first, on a busy machine
            "--limit=30s", // however slow this machine is
            "--out=run");

    assertEquals(0, ended.exitCode(), ended.toString());
    Part arm = new RunFiles(directory.resolve("run")).read().parts().getFirst();
    assertEquals(Status.DONE, arm.status(), ended.toString());
    assertTrue(arm.require(StepFigures.WARM_UP) > 0, arm.toString());
    // A machine that does much else may fail a load twice; then no higher one is tried.
    boolean bore20 =
        arm.parts().stream()
            .anyMatch(
                step ->
                    step.require(StepFigures.LOAD) == 20
                        && !step.require(StepFigures.OUTCOME).isFailure());
    assertEquals(
        bore20 ? List.of(20.0, 40.0) : List.of(20.0),
        arm.parts().stream().map(step -> step.require(StepFigures.LOAD)).distinct().toList(),
        ended::toString);
    for (Part step : arm.parts()) {
      assertEquals(
          step.require(StepFigures.DUE), step.require(StepFigures.ANSWERED), ended.toString());
    }
    assertTrue(ended.out().contains("target: "), ended.toString());
    return arm.parts().stream().mapToLong(step -> step.require(StepFigures.ANSWERED)).sum();
  }

  /**
   * Fills an index with vectors, and searches for neighbours.
   *
   * @param directory empty
   * @param index one that the run makes
   */
  public static void findNeighbours(Path directory, String address, String index) throws Exception {
    WeirProcess.Ended ended =
        WeirProcess.run(
            directory,
            "stress",
            "--target=" + address,
            "--target-index=" + index,
            "--docs=synthetic:600",
            "--vectors=16:50%",
            "--queries=hybrid",
            "--merge=none",
            "--warmup=500ms",
            "--before=1s",
            "--during=500ms",
            "--after=500ms",
            "--out=run");

    assertEquals(0, ended.exitCode(), ended.toString());
    Part arm = new RunFiles(directory.resolve("run")).read().parts().getFirst();
    assertEquals(Status.DONE, arm.status(), ended.toString());
    assertEquals(0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS), ended.toString());
    assertTrue(arm.require(ArmFigures.SEARCHES) > 0, ended.toString());
    assertTrue(arm.require(ArmFigures.RECALL) > 0.6, ended.toString());
    assertEquals(300, arm.require(ArmFigures.VECTORS), 60, ended.toString());
    findNeighboursUnderLoad(
        Files.createDirectory(directory.resolve("load")),
        address + "/" + index + "/_search",
        "synthetic:600",
        "16:50%");
    assertKeepsItsFormat(directory, address, index);
  }

  /**
   * Searches an index of a run for neighbours, and compares them.
   *
   * @param directory empty
   */
  static void findNeighboursUnderLoad(
      Path directory, String address, String documents, String vectors) throws Exception {
    String[] load = {
      "load",
      "--target=" + address,
      "--docs=" + documents,
      "--vectors=" + vectors,
      "--queries=hybrid",
      "--load=20",
      "--step=1s",
      "--warmup=2s",
      "--limit=30s",
      "--out=run"
    };

    WeirProcess.Ended ended = WeirProcess.run(directory, load);

    assertEquals(0, ended.exitCode(), ended.toString());
    Part arm = new RunFiles(directory.resolve("run")).read().parts().getFirst();
    assertEquals(Status.DONE, arm.status(), ended.toString());
    assertEquals(
        List.of(), arm.warnings().stream().filter(w -> w.what().contains("recall")).toList());
    assertTrue(arm.require(ArmFigures.RECALL) > 0.6, ended.toString());
    assertTrue(arm.require(ArmFigures.RECALL) <= 1, ended.toString());
    Part step = arm.parts().getFirst();
    assertTrue(step.require(StepFigures.ANSWERED) > 0, ended.toString());
    assertEquals(0, step.require(StepFigures.FAILED), ended.toString());
    assertTrue(ended.out().contains("recall@10"), ended.toString());

    load[2] = "--docs=synthetic:601";
    load[load.length - 1] = "--out=others";
    WeirProcess.Ended others = WeirProcess.run(directory, load);
    assertEquals(2, others.exitCode(), others.toString());
    assertTrue(
        others
            .err()
            .contains(
                "--target must be an index for --vectors: vectors need documents that weir stress"
                    + " has filled from synthetic:601"),
        others.toString());
  }

  /** One that was made with floats is no other. */
  private static void assertKeepsItsFormat(Path directory, String address, String index)
      throws Exception {
    String[] other = {
      "--target=" + address,
      "--target-index=" + index,
      "--docs=synthetic:600",
      "--vectors=16:50%",
      "" // the arm
    };
    Path fresh = Files.createDirectory(directory.resolve("other"));
    String made = "the index " + index + " holds synthetic:600 (seed 1, vectors 16:50%), 1 shard";
    other[4] = "--arm=target: vector-format=int8";
    String said = refusal(fresh, other);
    assertTrue(said.contains(made + ", compound=default, this run asks for "), said);
    assertTrue(said.contains("compound=default, vector-format=int8: delete it"), said);
    other[4] = "--arm=target: vector-format=binary";
    said = refusal(fresh, other);
    assertTrue( // of Elasticsearch, and of OpenSearch
        said.contains(
                "vectors must have at least 64 dimensions for vector-format=binary in"
                    + " Elasticsearch: 16 dimensions")
            || said.contains("vector-format must be float or int8 in OpenSearch"),
        said);
  }

  /** What a run says that is refused before it begins. */
  public static String refusal(Path directory, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("stress", "--out=run"));
    arguments.addAll(List.of(options));

    WeirProcess.Ended ended = WeirProcess.run(directory, arguments.toArray(String[]::new));

    assertEquals(2, ended.exitCode(), ended.toString());
    return ended.err();
  }
}
