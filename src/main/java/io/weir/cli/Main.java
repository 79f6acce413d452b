package io.weir.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.logging.Level;
import java.util.logging.Logger;
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
      ReportCommand.class,
      CommandLine.HelpCommand.class
    },
    versionProvider = WeirVersion.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  weir stress                       two arms on synthetic text, about two minutes",
      "  weir stress --docs enwiki.xml.bz2 --doc-count 500000",
      "  weir sweep --slo 'reopen.p99 < 100ms'",
      "  weir report weir-runs/RUN         renders the report of a run again"
    })
public final class Main {

  /** Lucene tells of the vector instructions it could have; kept here or it would be forgotten. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private Main() {}

  /** Runs the command line and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    LUCENE.setLevel(Level.SEVERE);
    int exitCode = run(arguments);
    // While a signal shuts the JVM down its own exit code stands, and exit() would wait forever.
    if (exitCode != ExitCode.INTERRUPTED) {
      System.exit(exitCode);
    }
  }

  private static int run(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
    PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
    CommandLine commandLine =
        new CommandLine(new Main())
            .setOut(out)
            .setErr(err)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpWidth(100)
            .setParameterExceptionHandler(
                (e, args) -> {
                  err.println("weir: " + oneLine(e.getMessage()));
                  err.println(
                      "Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
                  return ExitCode.USAGE;
                })
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  err.println("weir: " + oneLine(e.toString()));
                  if (System.getenv("WEIR_STACKTRACE") != null) {
                    e.printStackTrace(err);
                  } else {
                    err.println(
                        "This is a fault of Weir; WEIR_STACKTRACE=1 shows where it happened.");
                  }
                  return ExitCode.INTERNAL;
                });
    if (arguments.length == 0) {
      commandLine.usage(err);
      return ExitCode.USAGE;
    }
    return commandLine.execute(arguments);
  }

  private static String oneLine(String message) {
    return String.valueOf(message).replaceAll("\\s*\\R\\s*", " ");
  }
}
