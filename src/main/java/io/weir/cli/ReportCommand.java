package io.weir.cli;

import io.weir.stress.result.RunFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir report RUN}: prints the table and writes the report of a run again. */
@Command(
    name = "report",
    description = {"Prints the table of a run again, and writes its report.html anew.", ""},
    mixinStandardHelpOptions = true,
    versionProvider = WeirVersion.class,
    footer = {"", "Example:", "  weir report weir-runs/2026-11-20T120000"})
final class ReportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RUN", description = "A run directory.")
  private Path directory;

  @Override
  public Integer call() {
    RunFiles files = new RunFiles(directory);
    try {
      boolean reported =
          new RunOutput(files, spec.commandLine().getOut(), spec.commandLine().getErr())
              .show(files.readRun(), false);
      return reported ? ExitCode.DONE : ExitCode.INTERNAL;
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
