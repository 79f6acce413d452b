package io.weir.load.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.load.result.ClientView;
import io.weir.load.result.Latency;
import io.weir.load.result.LoadArm;
import io.weir.load.result.LoadStep;
import io.weir.load.result.Resource;
import io.weir.load.result.Saturation;
import io.weir.load.result.StepOutcome;
import io.weir.load.result.StepUse;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.GcPauses;
import io.weir.stress.result.GcResult;
import io.weir.stress.result.Phases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PauseSharesTest {

  private static final Latency LATENCY = Latency.of(new long[] {1});

  @TempDir Path temp;

  /** Only that part of a pause counts that lies in the step. */
  @Test
  void add_pausesAcrossTheEndsOfSteps_areSharedOut() throws Exception {
    Path gc =
        Files.writeString(
            temp.resolve("gc.csv"),
            "arm,round,phase,start_nanos,duration_nanos\n"
                + "a,1,before,900,200\n" // 100 before the first step, 100 in it
                + "a,1,before,1500,50\n"
                + "a,1,before,1900,400\n"); // 100 in the first, 300 in the second

    LoadArm arm = PauseShares.add(arm(step(1, 1000, 2000), step(2, 2000, 3000)), gc);

    assertEquals(
        List.of(25.0, 30.0),
        arm.steps().stream().map(step -> step.use().pausedPercent().orElseThrow()).toList());
    assertEquals(Resource.COLLECTOR, arm.steps().getFirst().full());
  }

  private static LoadStep step(int number, long startNanos, long endNanos) {
    ClientView seen =
        new ClientView(
            10, 1, 1, 0, 0, 0, 0, 0, LATENCY, LATENCY, 0, 0, 1, 1, 2, Optional.empty(), false);
    StepUse use =
        new StepUse(
            Optional.empty(),
            Optional.empty(),
            5,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return new LoadStep(
        number, 10, StepOutcome.BEHIND, Resource.NONE, seen, use, startNanos, endNanos);
  }

  private static LoadArm arm(LoadStep... steps) {
    Phases<Optional<GcPauses>> none =
        new Phases<>(Optional.empty(), Optional.empty(), Optional.empty());
    return new LoadArm(
        "a",
        1,
        ArmStatus.DONE,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        List.of(steps),
        Saturation.UNKNOWN,
        Optional.of(new GcResult(3, 0.1, List.of("G1"), Optional.of(none))),
        Optional.empty(),
        List.of());
  }
}
