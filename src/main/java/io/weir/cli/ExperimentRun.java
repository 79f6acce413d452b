package io.weir.cli;

import io.weir.procfs.Procfs;
import io.weir.run.Run;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.stress.experiment.EngineForecast;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.experiment.RunForecast;
import io.weir.stress.experiment.StressException;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.Login;
import io.weir.stress.plan.StressPlan;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * An experiment as a command runs it: its progress on standard error, what it came to on standard
 * output and in the report, and how all that ended as an exit code.
 */
record ExperimentRun(CommandSpec spec, RunOptions options) {

  /** What a run would do, as {@code --dry-run} prints it. */
  interface Forecast {
    String text() throws StressException, IOException;
  }

  /**
   * Runs arms on Lucene, or with {@code --dry-run} says what that would do.
   *
   * @param forecast what to say
   * @return the exit code
   */
  int call(StressPlan plan, ArmQueue arms, Function<RunForecast, String> forecast)
      throws Exception {
    ProgressView progress = progress();
    Experiment<RunForecast> experiment =
        Experiment.onLucene(plan, arms, origin(), Procfs.SYSTEM, progress);
    return call(experiment, progress, () -> forecast.apply(experiment.forecast()));
  }

  /**
   * Runs arms on an engine, or with {@code --dry-run} says what that would do.
   *
   * @return the exit code
   */
  int call(EnginePlan plan) throws Exception {
    ProgressView progress = progress();
    Experiment<EngineForecast> experiment =
        Experiment.onEngine(plan, origin(), Procfs.SYSTEM, progress);
    return call(experiment, progress, () -> ForecastText.of(experiment.forecast()));
  }

  private int call(Experiment<?> run, ProgressView progress, Forecast forecast) throws Exception {
    if (options.dryRun()) {
      return forecast(forecast);
    }
    try (CancelOnSignal signal = new CancelOnSignal(run::cancel)) {
      return run(run, signal, progress, spec.commandLine().getErr());
    }
  }

  private ProgressView progress() {
    return new ProgressView(
        spec.commandLine().getErr(), Terminal.onStandardError(), NanoClock.SYSTEM);
  }

  private Experiment.Origin origin() {
    List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
    return new Experiment.Origin(
        WeirVersion.number(), arguments.stream().map(Login::hide).toList());
  }

  private int run(
      Experiment<?> experiment, CancelOnSignal signal, ProgressView progress, PrintWriter stderr)
      throws Exception {
    try {
      Run run = experiment.run();
      if (run.interrupted()) {
        signal.interrupted();
      }
      progress.end();
      PrintWriter stdout = spec.commandLine().getOut();
      boolean reported =
          new RunOutput(experiment.files(), stdout, stderr).show(run, options.json());
      if (run.interrupted()) {
        stderr.println("weir: interrupted; what was measured until then is in the report");
        return ExitCode.INTERRUPTED;
      }
      if (options.strict() && !run.cacheAsAsked()) {
        stderr.println("weir: the page cache was not as asked, and the run is --strict");
        return ExitCode.NOISY;
      }
      boolean failed =
          !reported || run.parts().stream().anyMatch(arm -> arm.status() != Status.DONE);
      if (failed) {
        return ExitCode.INTERNAL;
      }
      if (options.strict() && run.isNoisy()) {
        stderr.println("weir: the machine was noisy, and the run is --strict");
        return ExitCode.NOISY;
      }
      return run.slos().stream().allMatch(SloResult::met) ? ExitCode.DONE : ExitCode.SLO_MISSED;
    } catch (StressException e) {
      progress.end();
      return told(e);
    }
  }

  private int forecast(Forecast forecast) throws IOException {
    try {
      PrintWriter stdout = spec.commandLine().getOut();
      stdout.print(forecast.text());
      stdout.flush();
      return ExitCode.DONE;
    } catch (StressException e) {
      return told(e);
    }
  }

  private int told(StressException e) {
    if (e.kind() == StressException.Kind.USAGE) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    spec.commandLine().getErr().println("weir: " + e.getMessage());
    return e.kind() == StressException.Kind.NOISY ? ExitCode.NOISY : ExitCode.INTERNAL;
  }
}
