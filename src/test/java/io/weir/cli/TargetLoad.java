package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.load.result.LoadArm;
import io.weir.load.result.LoadFiles;
import io.weir.load.result.LoadStep;
import io.weir.stress.result.ArmStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code weir load --target} against a server that runs. */
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
    LoadArm arm = new LoadFiles(directory.resolve("run")).read().arms().getFirst();
    assertEquals(ArmStatus.DONE, arm.status(), ended.toString());
    assertTrue(arm.warmUpPerSecond().orElseThrow() > 0, arm.toString());
    // A machine that does much else may fail a load twice; then no higher one is tried.
    boolean bore20 =
        arm.steps().stream().anyMatch(step -> step.load() == 20 && !step.outcome().isFailure());
    assertEquals(
        bore20 ? List.of(20.0, 40.0) : List.of(20.0),
        arm.steps().stream().map(LoadStep::load).distinct().toList(),
        ended::toString);
    for (LoadStep step : arm.steps()) {
      assertEquals(step.client().due(), step.client().answered(), ended.toString());
    }
    assertTrue(ended.out().contains("target: "), ended.toString());
    return arm.steps().stream().mapToLong(step -> step.client().answered()).sum();
  }
}
