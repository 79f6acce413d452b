package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.ArmFigures;
import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunWarning;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.QuickRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a run ends as an exit code, and in which order its faults count. */
class RunCommandTest {

  private static final RunWarning OTHERS = new RunWarning("others were busy", "a build", "wait");
  private static final String INTERRUPTED =
      "weir: interrupted; what was measured until then is in the report\n";
  private static final String NOT_AS_ASKED =
      "weir: the page cache was not as asked, and the run is --strict\n";
  private static final String NOISY = "weir: the machine was noisy, and the run is --strict\n";

  private final QuickRun run = new QuickRun();
  private List<Part> parts = List.of(part(Status.DONE, Values.NONE));

  @BeforeEach
  void missed() {
    run.slos =
        List.of(
            new SloResult(
                "reopen.p99 < 1ms", "a", Optional.of(2.0), 1, "ms", false, Optional.empty()));
  }

  private static Part part(Status status, Values values) {
    return new Part(
        Part.Kind.ARM,
        "a",
        1,
        status,
        Map.of(),
        values,
        Optional.of(new Failure("it broke", Optional.empty(), List.of())),
        List.of(),
        List.of(),
        List.of());
  }

  private void assertEnds(int exitCode, String said, boolean reported, boolean strict) {
    StringWriter err = new StringWriter();
    Run result = run.result(parts);
    assertEquals(
        exitCode, RunCommand.exitCode(result, reported, strict, new PrintWriter(err, true)));
    assertEquals(said, err.toString().replace(System.lineSeparator(), "\n"));
  }

  @Test
  void exitCode_allDone_isThatOfTheObjectives() {
    assertEnds(ExitCode.SLO_MISSED, "", true, true);
    run.slos = List.of();
    assertEnds(ExitCode.DONE, "", true, true);
  }

  @Test
  void exitCode_aPartThatIsNotWhole_isAFailureWhateverItsKind() {
    for (Run.Kind kind : Run.Kind.values()) {
      run.kind = kind;
      for (Status status : List.of(Status.FAILED, Status.INTERRUPTED)) {
        parts = List.of(part(status, Values.NONE), part(Status.DONE, Values.NONE));
        assertEnds(ExitCode.INTERNAL, "", true, false);
      }
    }
  }

  @Test
  void exitCode_noReport_isAFailureAlthoughTheFiguresAreThere() {
    assertEnds(ExitCode.INTERNAL, "", false, false);
  }

  @Test
  void exitCode_aNoisyMachine_countsOnlyIfStrictAndNothingFailed() {
    run.findings = List.of(OTHERS);
    assertEnds(ExitCode.SLO_MISSED, "", true, false);
    assertEnds(ExitCode.NOISY, NOISY, true, true);
    assertEnds(ExitCode.INTERNAL, "", false, true);
  }

  @Test
  void exitCode_aPageCacheNotAsAsked_isNamedBeforeTheArmThatFailedByIt() {
    Values notAsAsked = Values.builder().put(ArmFigures.CACHE_AS_ASKED, false).build();
    parts = List.of(part(Status.FAILED, notAsAsked));
    assertEnds(ExitCode.INTERNAL, "", true, false);
    assertEnds(ExitCode.NOISY, NOT_AS_ASKED, true, true);
  }

  @Test
  void exitCode_interrupted_isThatWhateverElse() {
    run.interrupted = true;
    run.findings = List.of(OTHERS);
    parts = List.of(part(Status.FAILED, Values.NONE));
    assertEnds(ExitCode.INTERRUPTED, INTERRUPTED, false, true);
  }
}
