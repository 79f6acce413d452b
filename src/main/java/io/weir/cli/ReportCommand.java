package io.weir.cli;

import io.weir.report.compare.RunComparison;
import io.weir.report.html.ComparisonPage;
import io.weir.report.text.RunComparisonText;
import io.weir.run.FailureWords;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir report RUN...}: a run again, or several against the first. */
@Command(
    name = "report",
    description = {
      "Prints the table of a run again and rewrites its report.html, or compares several runs.",
      "",
      "Of several runs, it compares each arm with the arm of the same name in the first run, and"
          + " writes a page of that.",
      ""
    },
    footer = {
      "",
      "Runs can be compared when they did the same work on the same machine. Versions and settings of",
      "arms may differ; the comparison lists what does.",
      "",
      "Examples:",
      "  weir report weir-runs/2026-11-20T120000",
      "  weir report weir-runs/monday weir-runs/tuesday",
      "",
      "Exit codes: 0 done, 1 the report could not be written, 2 no such run, or runs that",
      "cannot be compared."
    })
final class ReportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "RUN", description = "A run directory.")
  private List<Path> directories;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "The page of a comparison. Default: comparison.html in the last RUN. Not for one RUN, whose"
              + " page is its report.html.")
  private Path out;

  @Override
  public Integer call() {
    try {
      return directories.size() == 1 ? show(new RunFiles(directories.get(0))) : compare();
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int show(RunFiles files) throws IOException {
    if (out != null) {
      throw new ParameterException(
          spec.commandLine(), "--out must come with two RUNs or more: " + out);
    }
    boolean reported =
        new RunOutput(files, spec.commandLine().getOut(), spec.commandLine().getErr())
            .show(files.read(), false);
    return reported ? ExitCode.DONE : ExitCode.INTERNAL;
  }

  private int compare() throws IOException {
    Map<String, Run> runs = new LinkedHashMap<>();
    for (Path directory : directories) {
      if (runs.put(directory.toString(), comparable(directory)) != null) {
        throw new ParameterException(
            spec.commandLine(), "runs must differ, this one comes twice: " + directory);
      }
    }
    RunComparison comparison = RunComparison.of(runs);
    if (!comparison.obstacles().isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      comparison
          .obstacles()
          .forEach(
              (run, obstacles) -> {
                err.println(
                    "weir: %s cannot be compared with %s: they must have the same"
                        .formatted(run, directories.get(0)));
                obstacles.forEach(obstacle -> err.println("  " + obstacle));
              });
      return ExitCode.USAGE;
    }
    PrintWriter text = spec.commandLine().getOut();
    text.print(
        new RunComparisonText(Terminal.wantsColour())
            .render(directories.get(0).toString(), comparison));
    text.flush();
    return wrotePage(comparison) ? ExitCode.DONE : ExitCode.INTERNAL;
  }

  /** Says where the page is, or why there is none. */
  private boolean wrotePage(RunComparison comparison) {
    PrintWriter err = spec.commandLine().getErr();
    Path page = out == null ? directories.getLast().resolve("comparison.html") : out;
    Map<String, RunFiles> runs = new LinkedHashMap<>();
    directories.forEach(directory -> runs.put(directory.toString(), new RunFiles(directory)));
    try {
      ComparisonPage.write(page, runs, comparison);
      err.println("report: " + page);
      return true;
    } catch (IOException e) {
      err.println("weir: %s cannot be written (%s)".formatted(page, FailureWords.of(e)));
      return false;
    }
  }

  private Run comparable(Path directory) throws IOException {
    Run run = new RunFiles(directory).read();
    return switch (run.kind()) {
      case STRESS, SWEEP -> run;
      case INDEX ->
          throw new ParameterException(
              spec.commandLine(),
              "runs of weir index cannot be compared here, this is one: " + directory);
      case LOAD ->
          throw new ParameterException(
              spec.commandLine(),
              "a run of weir load is shown alone, it cannot be compared: " + directory);
    };
  }
}
