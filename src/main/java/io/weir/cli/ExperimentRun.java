package io.weir.cli;

import io.weir.procfs.Procfs;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.experiment.RunForecast;
import io.weir.stress.experiment.StressException;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.SloResult;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * An experiment as a command runs it: its progress on standard error, what it came to on standard
 * output and in the report, and how all that ended as an exit code.
 */
record ExperimentRun(CommandSpec spec, RunOptions options) {

  /**
   * Runs it, or with {@code --dry-run} tells of it.
   *
   * @param forecast what to tell
   * @return the exit code
   */
  int call(StressPlan plan, ArmQueue arms, Function<RunForecast, String> forecast)
      throws Exception {
    PrintWriter stderr = spec.commandLine().getErr();
    ProgressView progress = new ProgressView(stderr, Terminal.onStandardError(), NanoClock.SYSTEM);
    Experiment experiment =
        new Experiment(
            plan,
            arms,
            WeirVersion.number(),
            spec.root().commandLine().getParseResult().originalArgs(),
            Procfs.SYSTEM,
            progress);
    if (options.dryRun()) {
      return forecast(experiment, forecast);
    }
    try (CancelOnSignal signal = new CancelOnSignal(experiment)) {
      return run(experiment, signal, progress, stderr);
    }
  }

  private int run(
      Experiment experiment, CancelOnSignal signal, ProgressView progress, PrintWriter stderr)
      throws Exception {
    try {
      RunResult run = experiment.run();
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
          !reported || run.arms().stream().anyMatch(arm -> arm.status() != ArmStatus.DONE);
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

  private int forecast(Experiment experiment, Function<RunForecast, String> forecast)
      throws IOException {
    try {
      PrintWriter stdout = spec.commandLine().getOut();
      stdout.print(forecast.apply(experiment.forecast()));
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
