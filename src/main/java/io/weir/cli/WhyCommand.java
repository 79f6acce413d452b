package io.weir.cli;

import io.weir.option.HumanDuration;
import io.weir.procfs.Procfs;
import io.weir.run.FailureWords;
import io.weir.run.RunJson;
import io.weir.time.NanoClock;
import io.weir.why.Observation;
import io.weir.why.Watch;
import io.weir.why.WhyException;
import io.weir.why.WhyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir why PID}: what refreshes of a JVM wait for, found without installing anything. */
@Command(
    name = "why",
    description = {
      "Says why refreshes are slow in a JVM on this machine, and installs nothing there.",
      "",
      "It attaches as jcmd does, looks at stacks and at the kernel for a minute, and answers in one"
          + " page: the cause, the evidence, what helps, and what it could not see. It only reads.",
      ""
    },
    footer = {
      "",
      "Run it as the user of the JVM, or as root. jps shows the PIDs of JVMs. Stacks have names of",
      "classes and methods; no document, query or setting of the application is in the answer.",
      "",
      "Examples:",
      "  weir why 4711",
      "  weir why 4711 --for 5m --out why",
      "  weir why 4711 --json > why.json",
      "",
      "Exit codes: 0 answered, 1 the answer could not be written, 2 the process cannot be looked at,",
      "130 interrupted, with an answer from what was seen until then."
    })
final class WhyCommand implements Callable<Integer> {

  private static final String PAGE = "why.html";
  private static final String DATA = "why.json";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "PID", description = "The number of the process.")
  private String process;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long to look, from 5s to 1h. Default: ${DEFAULT-VALUE}.")
  private String length;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Also write the answer to why.html and why.json there.")
  private Path out;

  @Option(names = "--json", description = "Print JSON with all that was seen, and no text.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    Watch watch = watch();
    if (out != null && Files.exists(out) && !Files.isDirectory(out)) {
      throw refused("--out must be a directory: " + out);
    }
    try (RunCommand.CancelOnSignal signal = new RunCommand.CancelOnSignal(watch::cancel)) {
      Observation seen;
      err.println(
          "looking at process %s for %s; Ctrl-C answers with what was seen until then"
              .formatted(process, length));
      try {
        seen = watch.run();
      } catch (WhyException e) {
        throw refused(e.getMessage());
      }
      if (watch.isCancelled()) {
        signal.interrupted();
      }
      WhyReport report = new WhyReport(seen);
      PrintWriter text = spec.commandLine().getOut();
      text.print(json ? report.json() : report.text(Terminal.wantsColour()));
      text.flush();
      boolean written = out == null || write(report, err);
      if (watch.isCancelled()) {
        return ExitCode.INTERRUPTED;
      }
      return written ? ExitCode.DONE : ExitCode.INTERNAL;
    }
  }

  private Watch watch() {
    if (!process.matches("[1-9][0-9]{0,9}")) {
      throw refused(
          "PID must be the number of a process on this machine, such as 4711: " + process);
    }
    try {
      return new Watch(
          Long.parseLong(process),
          HumanDuration.parse("--for", length),
          Procfs.SYSTEM,
          NanoClock.SYSTEM);
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  private boolean write(WhyReport report, PrintWriter err) {
    try {
      Files.createDirectories(out);
      RunJson.replace(out.resolve(DATA), report.json());
      RunJson.replace(out.resolve(PAGE), report.html());
      err.println("report: " + out.resolve(PAGE));
      return true;
    } catch (IOException e) {
      err.println("weir: %s cannot be written (%s)".formatted(out, FailureWords.of(e)));
      return false;
    }
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
