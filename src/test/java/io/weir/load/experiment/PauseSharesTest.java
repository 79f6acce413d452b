package io.weir.load.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.load.QuickStep;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Resource;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import io.weir.run.StepOutcome;
import io.weir.run.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PauseSharesTest {

  @TempDir Path temp;

  /** Only that part of a pause counts that lies in the step. */
  @Test
  void withPauses_pausesAcrossTheEndsOfSteps_areSharedOut() throws Exception {
    Path gc =
        Files.writeString(
            temp.resolve("gc.csv"),
            "arm,round,phase,start_nanos,duration_nanos\n"
                + "a,1,before,900,200\n" // 100 before the first step, 100 in it
                + "a,1,before,1500,50\n"
                + "a,1,before,1900,400\n"); // 100 in the first, 300 in the second

    Part arm = LoadRun.withPauses(arm(step(1, 1000, 2000), step(2, 2000, 3000)), gc);

    assertEquals(
        List.of(25.0, 30.0),
        arm.parts().stream().map(step -> step.require(StepFigures.PAUSED)).toList());
    assertEquals(Resource.COLLECTOR, arm.parts().getFirst().require(StepFigures.FULL));
  }

  private static Part step(int number, long startNanos, long endNanos) {
    return Part.of(
        Part.Kind.STEP,
        "10.0",
        1,
        Status.DONE,
        Map.of(),
        QuickStep.of(1)
            .put(StepFigures.NUMBER, (long) number)
            .put(StepFigures.LOAD, 10.0)
            .put(StepFigures.OUTCOME, StepOutcome.BEHIND)
            .put(StepFigures.FULL, Resource.NONE)
            .put(StepFigures.START, startNanos)
            .put(StepFigures.END, endNanos)
            .build());
  }

  private static Part arm(Part... steps) {
    return Part.of(
            Part.Kind.ARM,
            "a",
            1,
            Status.DONE,
            Map.of(),
            Values.builder().put(ArmFigures.GC_PAUSES, Phase.BEFORE, 3L).build())
        .withParts(List.of(steps));
  }
}
