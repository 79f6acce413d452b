package io.weir.load.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.jvm.ScriptedJvm;
import io.weir.jvm.WorkerJvm;
import io.weir.load.QuickStep;
import io.weir.load.client.ClientMain;
import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.Loads;
import io.weir.load.plan.StepRule;
import io.weir.load.plan.TargetUrl;
import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import io.weir.stress.experiment.ExperimentListener;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A client that is a script, and a service that answers nothing. */
@Slow("starts a process")
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ArmStepsTest {

  private static final TargetUrl ADDRESS = TargetUrl.parse("http://127.0.0.1:1/a/_search");

  @TempDir Path temp;

  private Documents documents = new Documents("synthetic:10", 1, 0);
  private Service.Foreign.Comparison comparison = () -> Values.NONE;

  /** The last requests of its log were lost, and the arm counted as whole. */
  @Test
  void run_whoseClientCannotCloseItsFiles_fails() throws Exception {
    Part arm = runWithAClientThatEndsBy(ScriptedJvm.endingOnAFullDisk("the disk of it is full"));

    assertEquals(Status.FAILED, arm.status());
    assertEquals(
        Optional.of(new Failure("the disk of it is full", Optional.of(28), List.of())),
        arm.failure());
    assertEquals(1, arm.parts().size(), "the step before is kept");
  }

  @Test
  void run_whoseClientEndsAsAsked_isDone() throws Exception {
    Part arm = runWithAClientThatEndsBy(ScriptedJvm.answering(new ClientMain.Ended()));

    assertEquals(Status.DONE, arm.status(), arm.toString());
  }

  /** What was measured before is worth keeping. */
  @Test
  void run_whoseServiceHandsOverNoVectors_isDoneWithAWarning() throws Exception {
    documents = documents.withVectors("8");
    comparison =
        () -> {
          throw new IOException("GET /a/_search has no answer");
        };

    Part arm = runWithAClientThatEndsBy(ScriptedJvm.answering(new ClientMain.Ended()));

    assertEquals(Status.DONE, arm.status(), arm.toString());
    assertEquals(
        "recall is not known: GET /a/_search has no answer", arm.warnings().getFirst().what());
  }

  private Part runWithAClientThatEndsBy(String end) throws Exception {
    String floor = ScriptedJvm.saying(new ClientMain.FloorMeasured(QuickStep.of(200).build()));
    String step =
        ScriptedJvm.saying(new ClientMain.Sent())
            + "; "
            + ScriptedJvm.saying(
                new ClientMain.Stepped(
                    QuickStep.of(1000)
                        .put(StepFigures.CLIENT_CPU, 1000L)
                        .put(StepFigures.STALLS, 0L)
                        .put(StepFigures.LONGEST_STALL, 0.0)
                        .build()));
    String script =
        "read task; read a; %s; read b; %s; read c; %s; read nothing; %s"
            .formatted(floor, floor, step, end);
    try (WorkerJvm client = ScriptedJvm.start(temp, script)) {
      return new ArmSteps(
              plan(),
              new ArmQueue.Turn(plan().run().arms().getFirst(), 1, "1 of 1"),
              Service.Foreign.of(ADDRESS, NanoClock.SYSTEM, comparison),
              client,
              new ExperimentListener() {},
              () -> false)
          .run();
    }
  }

  private LoadPlan plan() {
    return new LoadPlan(
        new StressPlan(
            documents,
            QuerySource.TERMS,
            Optional.empty(),
            Path.of("out"),
            List.of(new Arm("a", LoadPlan.ARM_DEFAULTS)),
            1,
            Duration.ofMillis(50),
            false,
            false,
            new Telemetry(Optional.empty(), Optional.empty(), false),
            List.of()),
        Loads.parse("100"),
        Duration.ofSeconds(10),
        Duration.ZERO,
        new StepRule(Duration.ofSeconds(1)),
        OptionalInt.empty(),
        Optional.of(ADDRESS));
  }
}
