package io.weir.benchmark.residentkeys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Slow("starts a JVM for each measurement")
class ResidentKeysBenchmarkTest {

  @TempDir Path directory;

  @Test
  @Timeout(120)
  void measure_quick_everyKeyIsFoundAndOnlyOursAndTheFilterHoldAny() throws Exception {
    Conditions conditions =
        new Conditions(true, directory, new PrintStream(OutputStream.nullOutputStream()));
    ResidentKeysBenchmark.Plan plan = ResidentKeysBenchmark.Plan.QUICK;
    Map<KeyArm, ResidentKeysBenchmark.Measured> measured =
        new ResidentKeysBenchmark().measure(plan, conditions);

    assertEquals(4, ResidentKeysBenchmark.table(plan, measured).rows().size());
    Map<KeyArm, List<ResidentKeysBenchmark.Trial>> trials = new EnumMap<>(KeyArm.class);
    measured.forEach((arm, figures) -> trials.put(arm, figures.warm()));
    measured.forEach((arm, figures) -> assertTrue(figures.coldNanos().size() <= plan.coldRounds()));
    trials.forEach((arm, list) -> assertEquals(plan.rounds(), list.size(), arm.title()));
    assertEquals(0, trials.get(KeyArm.LUCENE).get(0).heldBytes());
    assertEquals(0, trials.get(KeyArm.FST).get(0).heldBytes());
    ResidentKeysBenchmark.Trial ours = trials.get(KeyArm.RESIDENT).get(0);
    // All but the small file that is read when it is opened and never again.
    assertTrue(ours.heldBytes() > ours.fileBytes() * 9 / 10, ours.toString());
    assertTrue(ours.heldBytes() < ours.fileBytes(), ours.toString());
    ResidentKeysBenchmark.Trial filter = trials.get(KeyArm.BLOOM).get(0);
    assertTrue(filter.heldBytes() > plan.documents() / 8, filter.toString());
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
  }
}
