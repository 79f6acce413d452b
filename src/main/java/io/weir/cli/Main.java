package io.weir.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command {@code weir}.
 *
 * <p>Results go to standard output, progress and errors to standard error. Exit codes are {@link
 * ExitCode}'s.
 */
@Command(
    name = "weir",
    description = {
      "Holds down what Lucene merges do to a disk, and measures what readers feel.",
      ""
    },
    subcommands = {
      StressCommand.class,
      SweepCommand.class,
      IndexCommand.class,
      LoadCommand.class,
      ReportCommand.class,
      HistoryCommand.class,
      WhyCommand.class,
      CommandLine.HelpCommand.class,
      AutoComplete.GenerateCompletion.class
    },
    synopsisSubcommandLabel = "COMMAND",
    modelTransformer = CommandHelp.class,
    footer = {
      "",
      "Examples:",
      "  weir stress                       stock Lucene and Weir, in about two minutes",
      "  weir stress --docs enwiki.xml.bz2 --doc-count 500000",
      "  weir sweep --slo 'reopen.p99 < 100ms'",
      "  weir load --queries heaviest:500 --limit 200ms",
      "  weir index --threads 1,2,4 --ram-buffer 64MB,256MB,1GB",
      "  weir report weir-runs/RUN",
      "  weir history add weir-runs/RUN",
      "  weir why PID|URL"
    })
public final class Main {

  private Main() {}

  /** Runs the command line and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    program().main(arguments);
  }

  /** Runs the command line in this JVM and returns its exit code. */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    return program().execute(out, err, arguments);
  }

  private static Program program() {
    return new Program(new CommandLine(new Main()));
  }
}
