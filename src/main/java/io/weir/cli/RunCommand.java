package io.weir.cli;

import io.weir.procfs.Procfs;
import io.weir.rest.Login;
import io.weir.run.Run;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.experiment.RunKind;
import io.weir.stress.experiment.StressException;
import io.weir.time.NanoClock;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that makes a run: its progress on standard error, what it came to on standard output
 * and in the report, and how all that ended as an exit code. A command itself reads its options.
 */
abstract class RunCommand implements Callable<Integer> {

  private static final Path RUNS = Path.of("weir-runs");
  private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss");

  /**
   * What the user asks for.
   *
   * @param forecast says what the run would do
   * @param dryRun whether it only says that
   * @param json whether JSON is printed, and no tables or sentences
   */
  record Asked<F>(
      RunKind.Planned<F> run, Function<F, Forecast> forecast, boolean dryRun, boolean json) {}

  @Spec CommandSpec spec;

  /**
   * Reads the options.
   *
   * @throws IllegalArgumentException for what cannot be run, with a message for the user
   */
  abstract Asked<?> asked();

  @Override
  public final Integer call() throws Exception {
    Asked<?> asked;
    try {
      asked = asked();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return call(asked);
  }

  private <F> int call(Asked<F> asked) throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    ProgressView progress = new ProgressView(err, Terminal.onStandardError(), NanoClock.SYSTEM);
    List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
    Experiment<F> experiment =
        new Experiment<>(
            asked.run(),
            new Experiment.Origin(
                WeirVersion.number(), arguments.stream().map(Login::hide).toList()),
            Procfs.SYSTEM,
            progress,
            Experiment.CANARY);
    try {
      if (asked.dryRun()) {
        Forecast forecast = asked.forecast().apply(experiment.forecast());
        out.print(asked.json() ? forecast.json().toPrettyString() + "\n" : forecast.text());
        out.flush();
        return ExitCode.DONE;
      }
      try (CancelOnSignal signal = new CancelOnSignal(experiment::cancel)) {
        Run run = experiment.run();
        if (run.interrupted()) {
          signal.interrupted();
        }
        progress.end();
        boolean reported = new RunOutput(experiment.files(), out, err).show(run, asked.json());
        return exitCode(run, reported, asked.run().strict(), err);
      }
    } catch (StressException e) {
      progress.end();
      if (e.kind() == StressException.Kind.USAGE) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
      err.println("weir: " + e.getMessage());
      return e.kind() == StressException.Kind.NOISY ? ExitCode.NOISY : ExitCode.INTERNAL;
    }
  }

  /**
   * How a run ended; says on {@code err} why, where its report does not.
   *
   * @param reported whether the report could be written
   */
  static int exitCode(Run run, boolean reported, boolean strict, PrintWriter err) {
    if (run.interrupted()) {
      err.println("weir: interrupted; what was measured until then is in the report");
      return ExitCode.INTERRUPTED;
    }
    if (strict && !run.cacheAsAsked()) {
      err.println("weir: the page cache was not as asked, and the run is --strict");
      return ExitCode.NOISY;
    }
    if (!reported || run.parts().stream().anyMatch(part -> part.status() != Status.DONE)) {
      return ExitCode.INTERNAL;
    }
    if (strict && run.isNoisy()) {
      err.println("weir: the machine was noisy, and the run is --strict");
      return ExitCode.NOISY;
    }
    return run.slos().stream().allMatch(SloResult::met) ? ExitCode.DONE : ExitCode.SLO_MISSED;
  }

  /** The run directory: what the user gave, or one named after the time that is not there yet. */
  static Path outOrDefault(Path out) {
    if (out != null) {
      return out;
    }
    String name = NAME.format(LocalDateTime.now());
    Path free = RUNS.resolve(name);
    for (int i = 2; Files.exists(free); i++) { // of a run that began in the same second
      free = RUNS.resolve(name + "-" + i);
    }
    return free;
  }
}
