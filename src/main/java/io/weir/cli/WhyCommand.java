package io.weir.cli;

import io.weir.option.HumanDuration;
import io.weir.procfs.Procfs;
import io.weir.rest.EngineAddress;
import io.weir.rest.Login;
import io.weir.run.FailureWords;
import io.weir.run.RunJson;
import io.weir.time.NanoClock;
import io.weir.why.ComparisonReport;
import io.weir.why.Observation;
import io.weir.why.ObservationFile;
import io.weir.why.Source;
import io.weir.why.Watch;
import io.weir.why.WhyException;
import io.weir.why.WhyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code weir why PID|URL|solr:URL}: what refreshes of a JVM or of a cluster wait for, found
 * without installing anything.
 */
@Command(
    name = "why",
    description = {
      "Says why refreshes are slow in a JVM on this machine or in a cluster, and installs nothing.",
      "",
      "It attaches as jcmd does, or asks a cluster over HTTP, looks for a minute, and answers in one"
          + " page: the cause, the evidence, what helps, and what it could not see. Without --record it"
          + " only reads."
          + " With --compare it says from two such answers whether the advice helped.",
      ""
    },
    footer = {
      "",
      "Run it as the user of the JVM, or as root. jps shows the PIDs of JVMs. Stacks have names of",
      "classes and methods; no document, no query and no name of an index is in the answer.",
      "A cluster is OpenSearch, Elasticsearch or a node of Solr. Of a node on this machine the JVM is",
      "looked at too. A name and a password are given as for weir stress --target.",
      "",
      "Examples:",
      "  weir why 4711",
      "  weir why 4711 --for 5m --out why",
      "  weir why 4711 --record --json > why.json",
      "  weir why http://localhost:9200",
      "  weir why solr:http://localhost:8983/solr",
      "  weir why --compare before after",
      "",
      "Exit codes: 0 answered, 1 the answer could not be written, 2 it cannot be looked at or a file",
      "cannot be read, 130 interrupted, with an answer from what was seen until then."
    })
final class WhyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "PID|URL",
      description = "The number of a process, or the address of a cluster: URL or solr:URL.")
  private String target;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long to look, from 5s to 1h. Default: ${DEFAULT-VALUE}.")
  private String length;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Also write the answer to why.html and why.json there, or why-comparison.html and .json.")
  private Path out;

  @Option(names = "--json", description = "Print JSON with all that was seen, and no text.")
  private boolean json;

  @Option(
      names = "--record",
      description = {
        "Also have the JVM's flight recorder record stops of all threads, collections, and slow reads and"
            + " writes of files. A JVM that has never recorded keeps three threads and some memory of"
            + " the recorder until it ends."
      })
  private boolean record;

  @Option(
      names = "--compare",
      arity = "2",
      hideParamSyntax = true,
      paramLabel = "BEFORE AFTER",
      description = "Compare two answers: each a why.json, or a directory with one.")
  private List<Path> compared;

  @Override
  public Integer call() throws IOException {
    if (out != null && Files.exists(out) && !Files.isDirectory(out)) {
      throw refused("--out must be a directory: " + out);
    }
    return compared == null ? look() : compare();
  }

  private int compare() throws IOException {
    if (target != null) {
      throw refused("--compare must come without PID or URL: " + target);
    }
    if (spec.commandLine().getParseResult().hasMatchedOption("--for")) {
      throw refused("--compare must come without --for: it looks at nothing");
    }
    if (record) {
      throw refused("--compare must come without --record: it looks at nothing");
    }
    if (compared.size() != 2) {
      throw refused("--compare must come once, with two answers");
    }
    Path before = compared.getFirst();
    Path after = compared.getLast();
    if (before.equals(after)) {
      throw refused("--compare must have two answers, this one comes twice: " + before);
    }
    try {
      ComparisonReport report =
          new ComparisonReport(
              before.toString(),
              ObservationFile.read(before),
              after.toString(),
              ObservationFile.read(after));
      print(json ? report.json() : report.text(Terminal.wantsColour()));
      return out == null || written("why-comparison", report.json(), report.html())
          ? ExitCode.DONE
          : ExitCode.INTERNAL;
    } catch (WhyException e) {
      throw refused(e.getMessage());
    }
  }

  private int look() throws IOException {
    if (target == null) {
      throw refused("Missing required parameter: 'PID|URL', or --compare BEFORE AFTER");
    }
    Duration time = time();
    try (Source source = source(record ? Optional.of(time) : Optional.empty())) {
      Watch watch = watch(source, time);
      spec.commandLine()
          .getErr()
          .println(
              "looking at %s for %s; Ctrl-C answers with what was seen until then"
                  .formatted(source.name(), length));
      try (CancelOnSignal signal = new CancelOnSignal(watch::cancel)) {
        return answer(watch, signal);
      }
    }
  }

  private int answer(Watch watch, CancelOnSignal signal) throws IOException {
    Observation seen;
    try {
      seen = watch.run();
    } catch (WhyException e) {
      if (watch.isCancelled()) {
        signal.interrupted();
        return ExitCode.INTERRUPTED;
      }
      throw refused(e.getMessage());
    }
    if (watch.isCancelled()) {
      signal.interrupted();
    }
    WhyReport report = new WhyReport(seen);
    print(json ? report.json() : report.text(Terminal.wantsColour()));
    boolean written = out == null || written("why", report.json(), report.html());
    if (watch.isCancelled()) {
      return ExitCode.INTERRUPTED;
    }
    return written ? ExitCode.DONE : ExitCode.INTERNAL;
  }

  private Duration time() {
    try {
      return HumanDuration.parse("--for", length);
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  private Source source(Optional<Duration> recorded) {
    if (target.matches("[1-9][0-9]{0,9}")) {
      return Source.process(Long.parseLong(target), Procfs.SYSTEM, NanoClock.SYSTEM, recorded);
    }
    try {
      EngineAddress address = EngineAddress.of(URI.create(target), System.getenv());
      if (EngineAddress.canBeAsked(address.url())) {
        return Source.cluster(address, Procfs.SYSTEM, NanoClock.SYSTEM, recorded);
      }
    } catch (IllegalArgumentException e) {
      if (!(e.getCause() instanceof URISyntaxException)) {
        throw refused(e.getMessage());
      }
    }
    throw refused(
        "PID must be the number of a process on this machine, such as 4711, and URL the address of a"
            + " node, such as http://localhost:9200 or solr:http://localhost:8983/solr: "
            + Login.hide(target).replaceFirst("^(?!.*://).*@", "***@"));
  }

  private Watch watch(Source source, Duration time) {
    try {
      return new Watch(source, time, Procfs.SYSTEM, NanoClock.SYSTEM);
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  /** Whether the files that were asked for could be written. */
  private boolean written(String name, String data, String page) {
    PrintWriter err = spec.commandLine().getErr();
    Path html = out.resolve(name + ".html");
    try {
      Files.createDirectories(out);
      RunJson.replace(out.resolve(name + ".json"), data);
      RunJson.replace(html, page);
      err.println("report: " + html);
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
