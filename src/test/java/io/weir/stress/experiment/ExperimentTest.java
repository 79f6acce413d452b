package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.CanaryFigures;
import io.weir.run.CanaryFigures.Probe;
import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every kind of run gets from the frame, whatever its trials are. */
class ExperimentTest {

  @TempDir Path temp;

  private final List<String> calls = new ArrayList<>();
  private final List<RunKind.Trial> trials = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private Path place;
  private RunKind.Ground ground;
  private Making making = () -> {};
  private Making closing = () -> {};

  @BeforeEach
  void nowhereYet() {
    place = temp.resolve("place/not/there/yet");
  }

  private interface Making {
    void run() throws StressException, IOException;
  }

  /** A kind that runs what the test has in its list. */
  private final class Scripted implements RunKind<String> {

    @Override
    public String check() {
      calls.add("check");
      return "forecast";
    }

    @Override
    public Path place() {
      return place;
    }

    @Override
    public void make() throws StressException, IOException {
      calls.add("make");
      making.run();
    }

    @Override
    public Optional<Trial> next(List<Part> results) {
      return results.size() < trials.size()
          ? Optional.of(trials.get(results.size()))
          : Optional.empty();
    }

    @Override
    public Account account(List<Part> results, boolean interrupted) {
      return new Account(Map.of("docs", "none"), Values.NONE, results);
    }

    @Override
    public void close() throws IOException {
      calls.add("close");
      try {
        closing.run();
      } catch (StressException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final ExperimentListener listener =
      new ExperimentListener() {
        @Override
        public void warning(RunWarning warning) {
          heard.add(warning.what());
        }

        @Override
        public void ended(Run.Kind kind, Part result) {
          heard.add(kind + " " + result.name() + " " + result.status());
        }
      };

  private Experiment<String> experiment(Run.Kind kind, boolean strict) {
    return experiment(kind, strict, Duration.ZERO);
  }

  private Experiment<String> experiment(Run.Kind kind, boolean strict, Duration canary) {
    return new Experiment<>(
        new RunKind.Planned<>(
            kind,
            temp.resolve("runs/out"),
            strict,
            Map.of(),
            on -> {
              ground = on;
              return new Scripted();
            }),
        new Experiment.Origin("0", List.of("some", "command")),
        Procfs.SYSTEM,
        listener,
        canary);
  }

  private Experiment<String> experiment() {
    return experiment(Run.Kind.STRESS, false);
  }

  private Run written() throws IOException {
    return new RunFiles(temp.resolve("runs/out")).read();
  }

  private static Part part(String name, Status status, Values values) {
    return new Part(
        Part.Kind.ARM,
        name,
        1,
        status,
        Map.of(),
        values,
        status == Status.FAILED
            ? Optional.of(new Failure("it broke", Optional.empty(), List.of()))
            : Optional.empty(),
        List.of(),
        List.of(),
        List.of());
  }

  private static Part part(String name, Status status) {
    return part(name, status, Values.NONE);
  }

  /** A frame with more hooks than that is harder to read than three runs that repeat each other. */
  @Test
  void kind_ofRun_hasAtMostSixMethods() {
    Set<String> hooks =
        Arrays.stream(RunKind.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of("account", "check", "close", "make", "next", "place"), hooks);
  }

  /** So nothing that has been measured is lost when this process is killed. */
  @Test
  void run_ofAnyKind_isWrittenAfterEachTrialAsOneThatHasNotEnded() throws Exception {
    List<Integer> seen = new ArrayList<>();
    trials.add(() -> part("first", Status.FAILED));
    trials.add(
        () -> {
          Run soFar = written();
          assertTrue(soFar.interrupted());
          seen.add(soFar.parts().size());
          return part("second", Status.DONE);
        });

    Run run = experiment(Run.Kind.INDEX, false).run();

    assertEquals(List.of(1), seen);
    assertEquals(List.of("first", "second"), run.names(), "one that fails ends no other");
    assertEquals(Run.Kind.INDEX, run.kind());
    assertEquals(List.of("some", "command"), run.command());
    assertEquals(Map.of("docs", "none"), run.workload());
    assertFalse(written().interrupted());
    assertEquals(List.of("INDEX first FAILED", "INDEX second DONE"), heard);
    assertEquals(List.of("check", "make", "close"), calls);
    assertOnlyTheResultIsLeft();
  }

  @Test
  void cancel_inATrial_endsItAndBeginsNoOther() throws Exception {
    Experiment<String> experiment = experiment();
    List<String> ended = new ArrayList<>();
    ground.atCancel().accept(() -> ended.add("by the kind"));
    trials.add(
        () -> {
          experiment.cancel();
          assertTrue(ground.workers().stopped());
          return part("first", Status.INTERRUPTED);
        });
    trials.add(() -> part("second", Status.DONE));

    Run run = experiment.run();

    assertEquals(List.of("by the kind"), ended);
    assertTrue(run.interrupted());
    assertEquals(List.of("first"), run.names());
    assertEquals(run.parts(), written().parts());
    assertEquals(List.of("STRESS first INTERRUPTED"), heard, "who cancels needs no warning");
    assertOnlyTheResultIsLeft();
  }

  @Test
  void cancel_whileAllIsMade_leavesARunWithoutParts() throws Exception {
    Experiment<String> experiment = experiment();
    making = experiment::cancel;
    trials.add(() -> part("first", Status.DONE));

    Run run = experiment.run();

    assertTrue(run.interrupted());
    assertEquals(List.of(), run.parts());
    assertOnlyTheResultIsLeft();
  }

  /** It is no success, and its figures are no whole ones. */
  @Test
  void run_aTrialThatIsStoppedFromOutside_saysSoAndGoesOn() throws Exception {
    trials.add(() -> part("first", Status.INTERRUPTED));
    trials.add(() -> part("second", Status.DONE));

    Run run = experiment().run();

    String what = "arm first was stopped before its end";
    assertEquals(List.of(what), run.warnings().stream().map(RunWarning::what).toList());
    assertEquals(List.of(what, "STRESS first INTERRUPTED", "STRESS second DONE"), heard);
    assertFalse(run.interrupted());
  }

  @Test
  void run_strictAndThePageCacheNotAsAsked_endsAfterThatTrial() throws Exception {
    Values notAsAsked = Values.builder().put(ArmFigures.CACHE_AS_ASKED, false).build();
    trials.add(() -> part("first", Status.FAILED, notAsAsked));
    trials.add(() -> part("second", Status.DONE));

    try {
      assertEquals(List.of("first"), experiment(Run.Kind.STRESS, true).run().names());
    } catch (StressException e) { // of a machine on which other tests run
      assertEquals(StressException.Kind.NOISY, e.kind());
      assertFalse(Files.exists(temp.resolve("runs")));
    }
    calls.clear();
    heard.clear();
    deleteRun();
    assertEquals(List.of("first", "second"), experiment().run().names());
  }

  @Test
  void run_thatCannotGoOn_leavesNothingAndReleasesAll() throws Exception {
    StressException broken = new StressException(StressException.Kind.BROKEN, "no index");
    making =
        () -> {
          throw broken;
        };

    assertSame(broken, assertThrows(StressException.class, experiment()::run));

    assertEquals(List.of("check", "make", "close"), calls);
    assertFalse(Files.exists(temp.resolve("runs")));
  }

  @Test
  void run_aDiskThatIsFull_saysWhichAndKeepsTheTrialsBefore() throws Exception {
    trials.add(() -> part("first", Status.DONE));
    trials.add(
        () -> {
          throw new IOException("No space left on device");
        });
    closing =
        () -> {
          throw new IOException("nor can it be deleted");
        };

    StressException full = assertThrows(StressException.class, experiment()::run);

    assertEquals(StressException.Kind.BROKEN, full.kind());
    assertTrue(full.getMessage().matches("the disk of .* is full: .* MB free"), full.getMessage());
    assertEquals("nor can it be deleted", full.getSuppressed()[0].getMessage());
    assertEquals(List.of("first"), written().names());
    assertOnlyTheResultIsLeft();
  }

  @Test
  void run_whereAnotherOneRuns_isRefusedAndReleasesNothing() throws Exception {
    Experiment.RunDirectory others = Experiment.RunDirectory.claim(temp.resolve("runs/out"));
    try {
      StressException refused = assertThrows(StressException.class, experiment()::run);
      assertEquals(StressException.Kind.USAGE, refused.kind());
      assertEquals(List.of(), calls, "what is another run's is not even looked at");
    } finally {
      others.close();
    }
  }

  @Test
  void forecast_anyKind_makesNothing() throws Exception {
    assertEquals("forecast", experiment().forecast());
    assertEquals(List.of("check"), calls);
    assertFalse(Files.exists(temp.resolve("runs")));
  }

  private void deleteRun() throws IOException {
    IndexCopy.deleteTree(temp.resolve("runs"));
  }

  private void assertOnlyTheResultIsLeft() throws IOException {
    try (var files = Files.list(temp.resolve("runs/out"))) {
      assertEquals(List.of("run.json"), files.map(f -> f.getFileName().toString()).toList());
    }
  }

  @ParameterizedTest
  @EnumSource(Run.Kind.class)
  void run_beforeEachTrial_looksWhatTheMachineDoes(Run.Kind kind) throws Exception {
    trials.add(() -> part("a", Status.DONE));
    trials.add(() -> part("b", Status.FAILED));
    Run run = experiment(kind, false, Duration.ofMillis(50)).run();
    assertTrue(run.parts().get(0).get(CanaryFigures.TOOK, Probe.SYNC).isPresent(), "" + run);
    assertEquals(Values.NONE, run.parts().get(1).values(), "a trial that failed has no figures");
    assertEquals(List.of(), run.warnings());
  }

  @Test
  void run_whereNoFileCanBeWritten_saysSoOnce_andRunsAllTrials() throws Exception {
    place = Files.writeString(temp.resolve("file"), "no directory").resolve("index");
    trials.add(() -> part("a", Status.DONE));
    trials.add(() -> part("b", Status.DONE));
    Run run = experiment(Run.Kind.STRESS, false, Duration.ofMillis(50)).run();
    assertEquals(2, run.parts().size());
    assertEquals(1, run.warnings().size(), run.warnings().toString());
    assertTrue(
        run.warnings().getFirst().what().startsWith("what the machine did before an arm was not"),
        run.warnings().toString());
  }

  @Test
  void run_cancelledInACanary_runsNoTrial() throws Exception {
    Experiment<String> experiment = experiment(Run.Kind.STRESS, false, Duration.ofMinutes(10));
    trials.add(() -> part("a", Status.DONE));
    making = experiment::cancel;
    Run run = experiment.run();
    assertEquals(List.of(), run.parts());
    assertTrue(run.interrupted());
  }
}
