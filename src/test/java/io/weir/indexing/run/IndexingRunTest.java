package io.weir.indexing.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.indexing.plan.Cell;
import io.weir.indexing.plan.IndexingPlan;
import io.weir.indexing.plan.IndexingSettings;
import io.weir.procfs.Procfs;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.Status;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.experiment.ExperimentListener;
import io.weir.stress.experiment.StressException;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.ArmSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which cells run, in which order, and what is left of them; none of them starts a JVM. */
class IndexingRunTest {

  private static final int ROUNDS = 3;

  @TempDir Path temp;

  private IndexingPlan plan(String java) {
    Arm arm = new Arm("a", IndexingSettings.DEFAULT.withText(ArmSetting.JVM, java));
    return new IndexingPlan(
        new Documents("synthetic:10", 1, 0),
        1_000_000,
        List.of(arm),
        List.of(1, 2),
        List.of(1_000_000L, 2_000_000L),
        ROUNDS,
        Duration.ofSeconds(2),
        0,
        temp.resolve("out"),
        temp.resolve("place/of/indexes"),
        false);
  }

  private static Experiment<IndexingRun.Forecast> experiment(IndexingPlan plan) {
    return new Experiment<>(
        IndexingRun.of(plan),
        new Experiment.Origin("0", List.of()),
        Procfs.SYSTEM,
        new ExperimentListener() {},
        Duration.ZERO);
  }

  /** It passes every check before the run, and cannot be started in it. */
  private String javaThatIsGoneAfterItsVersion() throws IOException {
    Path java =
        Files.writeString(
            temp.resolve("java"),
            "#!/bin/sh\nrm \"$0\"\nexec '%s' -version\n"
                .formatted(Path.of(System.getProperty("java.home"), "bin", "java")));
    assertTrue(java.toFile().setExecutable(true));
    return java.toString();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void run_severalRounds_hasEveryCellInTheOrderOfThePlan() throws Exception {
    IndexingPlan plan = plan(javaThatIsGoneAfterItsVersion());
    List<String> expected = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      for (Cell cell : plan.order(round)) {
        expected.add(cell.key().title() + ", round " + round);
      }
    }

    Run run = experiment(plan).run();

    assertEquals(
        expected,
        run.parts().stream().map(part -> part.name() + ", round " + part.round()).toList());
    assertTrue(run.parts().stream().map(Part::status).allMatch(Status.FAILED::equals));
    assertFalse(run.interrupted());
    assertEquals("3", run.workload().get("rounds"));
    assertFalse(Files.exists(temp.resolve("place")), "what was made for it is gone");
  }

  @Test
  void run_aPlaceThatIsAFile_isRefused() throws Exception {
    Files.createDirectories(temp.resolve("place/of"));
    Path file = Files.writeString(temp.resolve("place/of/indexes"), "x");

    StressException refused = assertThrows(StressException.class, experiment(plan("java"))::run);

    assertEquals("--place must be a directory, this is a file: " + file, refused.getMessage());
    assertFalse(Files.exists(temp.resolve("out")));
  }

  /** Only its parts can be looked at before: whether it can be made is known when it is. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void run_aPlaceBelowAFile_isRefusedAndLeavesNothing() throws Exception {
    Files.writeString(temp.resolve("place"), "x");

    StressException refused =
        assertThrows(StressException.class, experiment(plan(javaThatIsGoneAfterItsVersion()))::run);

    assertTrue(
        refused.getMessage().startsWith("--place must be a directory that can be made: "),
        refused.getMessage());
    assertFalse(Files.exists(temp.resolve("out")));
  }
}
