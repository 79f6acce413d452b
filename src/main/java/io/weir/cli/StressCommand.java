package io.weir.cli;

import io.weir.procfs.Procfs;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.experiment.StressException;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.SloResult;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir stress}: reads options, runs the experiment, prints the table, writes the report. */
@Command(
    name = "stress",
    description = {
      "Measures reopen latency of near-real-time search while a large merge runs, and the kernel's"
          + " dirty pages meanwhile.",
      "",
      "Builds an index (or uses the one in --index), then runs each arm in a JVM of its own on a copy"
          + " made of hard links: updates at a steady rate, reopens on a fixed schedule, searches at"
          + " random times, and after a while a forced merge. Latency counts from when an operation was"
          + " due; nothing is dropped.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = WeirVersion.class,
    sortOptions = false,
    footer = {
      "",
      "An arm is 'NAME: setting=value, ...'; whatever it does not set it takes from the options.",
      "Settings: preset=weir|stock  cap=RATE|off  lucene-force-merge-cap=RATE  full-flush-wait=TIME",
      "  writeback=SIZE|off  small-files=SIZE|off  close=deferred|inline  warmer=on|off",
      "  readers-first=on|off  id-postings=resident|preloaded|default  directory=mmap|nio|direct",
      "  merge=forced|natural|none  mode=update|add",
      "  updates-per-second=  reopens-per-second=  searches-per-second=  commits-per-minute=",
      "  warmup=  before=  during=  after=  jvm=PATH  jvm-args='-XX:+UseZGC ...'",
      "preset=weir means cap=off, full-flush-wait=0ms, writeback=1MiB, small-files=64KiB,",
      "  close=deferred, warmer=on, readers-first=on, id-postings=resident (such arms start from",
      "  a second index, DIR-resident beside --index DIR);",
      "preset=stock is Lucene as it comes, to which each but cap and readers-first can be added.",
      "Sizes: 1MiB, 512KiB. Rates: 10MB/s, 1.5GiB/s, 512KiB/s. Durations: 500ms, 10s, 2m.",
      "Figures of --slo, during the merge, the median of rounds: reopen.p50, .p90, .p99, .max, .mean;",
      "  search.p50, .p99, .max; commit.p99, .max; merge.seconds; indexing.rate; gc.pause.max, .total;",
      "  and of the whole arm dirty.peak. A bound is 100ms, 90s, 16MB, 49/s, or a ratio to another arm:",
      "  1.2x stock.",
      "",
      "Examples:",
      "  weir stress",
      "  weir stress --docs /usr/src/linux --index /data/linux-index",
      "  weir stress --docs enwiki.xml.bz2 --doc-count 1000000 --mode add",
      "  weir stress --arm 'stock: preset=stock' --arm 'capped: cap=20MB/s' --rounds 5",
      "  weir stress --arm 'g1: jvm-args=-XX:+UseG1GC' --arm 'zgc: jvm-args=-XX:+UseZGC' --rounds 5",
      "  weir stress --index /data/index --rounds 5 --dry-run",
      "  weir stress --slo 'reopen.p99 < 100ms' --slo 'dirty.peak < 500MB'",
      "",
      "Exit codes: 0 done, 1 something broke, 2 wrong usage, 3 an objective was missed, 4 the machine",
      "is too noisy (only with --strict), 130 interrupted (a partial report is written)."
    })
final class StressCommand implements Callable<Integer> {

  private static final List<String> DEFAULT_ARMS = List.of("uncapped: cap=off", "cap=10MB/s");
  private static final DateTimeFormatter RUN_NAME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss");

  @Spec private CommandSpec spec;

  @Option(
      names = "--docs",
      paramLabel = "SOURCE",
      defaultValue = "synthetic",
      description =
          "Documents: synthetic[:COUNT], a luceneutil line file, a Wikipedia pages-articles XML (each"
              + " plain, .gz, .bz2, .xz or .zst), or a directory of text files. Default: ${DEFAULT-VALUE}.")
  private String docs;

  @Option(
      names = "--doc-count",
      paramLabel = "N",
      description = "Take at most so many documents. Default: all.")
  private Long docCount;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Of everything random: text, keys, updates, search terms, times. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--index",
      paramLabel = "DIR",
      description =
          "Keep the index there, and one for id-postings=resident in DIR-resident, and use them again."
              + " Default: build for this run and delete.")
  private Path index;

  @Mixin private LoadOptions load;

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description = "One variant; repeatable. Default: 'uncapped: cap=off' and 'cap=10MB/s'.")
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Run all arms so many times, in each round in another order, and compare them with the"
              + " first; 5 or more for an interval. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--slow-reopen-over",
      paramLabel = "TIME",
      defaultValue = "50ms",
      description = "Say why a reopen took longer than this. Default: ${DEFAULT-VALUE}.")
  private String slowReopenOver;

  @Option(
      names = "--check-index",
      description = "End each arm with a commit, and have Lucene check its whole index.")
  private boolean checkIndex;

  @Option(
      names = "--slo",
      paramLabel = "SLO",
      description =
          "What arms are held to: '[ARM:] FIGURE < BOUND', also <=, > and >=; repeatable. If one is"
              + " missed the command ends with 3. The run directory has a slo.xml (JUnit) for build"
              + " servers.")
  private List<String> slos = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run directory, empty or new. Default: weir-runs/<time>.")
  private Path out;

  @Option(
      names = "--strict",
      description =
          "Refuse a noisy machine: end with 4 before anything is run, or after it if it became noisy.")
  private boolean strict;

  @Option(names = "--dry-run", description = "Check everything, print what would be done, and end.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print run.json instead of the table.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    PrintWriter stdout = spec.commandLine().getOut();
    PrintWriter stderr = spec.commandLine().getErr();
    ProgressView progress = new ProgressView(stderr, Terminal.onStandardError(), NanoClock.SYSTEM);
    Experiment experiment =
        new Experiment(
            plan(),
            WeirVersion.number(),
            spec.root().commandLine().getParseResult().originalArgs(),
            Procfs.SYSTEM,
            progress);
    if (dryRun) {
      return forecast(experiment, stdout, stderr);
    }
    try (CancelOnSignal signal = new CancelOnSignal(experiment)) {
      return run(experiment, signal, progress, stdout, stderr);
    }
  }

  private int run(
      Experiment experiment,
      CancelOnSignal signal,
      ProgressView progress,
      PrintWriter stdout,
      PrintWriter stderr)
      throws Exception {
    try {
      RunResult run = experiment.run();
      if (run.interrupted()) {
        signal.interrupted();
      }
      progress.end();
      boolean reported = new RunOutput(experiment.files(), stdout, stderr).show(run, json);
      if (run.interrupted()) {
        stderr.println("weir: interrupted; what was measured until then is in the report");
        return ExitCode.INTERRUPTED;
      }
      boolean failed =
          !reported || run.arms().stream().anyMatch(arm -> arm.status() != ArmStatus.DONE);
      if (failed) {
        return ExitCode.INTERNAL;
      }
      if (strict && run.isNoisy()) {
        stderr.println("weir: the machine was noisy, and the run is --strict");
        return ExitCode.NOISY;
      }
      return run.slos().stream().allMatch(SloResult::met) ? ExitCode.DONE : ExitCode.SLO_MISSED;
    } catch (StressException e) {
      progress.end();
      return told(e, stderr);
    }
  }

  private int forecast(Experiment experiment, PrintWriter stdout, PrintWriter stderr)
      throws IOException {
    try {
      stdout.print(ForecastText.of(experiment.forecast()));
      stdout.flush();
      return ExitCode.DONE;
    } catch (StressException e) {
      return told(e, stderr);
    }
  }

  private int told(StressException e, PrintWriter stderr) {
    if (e.kind() == StressException.Kind.USAGE) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    stderr.println("weir: " + e.getMessage());
    return e.kind() == StressException.Kind.NOISY ? ExitCode.NOISY : ExitCode.INTERNAL;
  }

  private StressPlan plan() {
    try {
      List<Arm> planned = new ArrayList<>();
      for (String arm : arms.isEmpty() ? DEFAULT_ARMS : arms) {
        planned.add(load.options().arm(arm));
      }
      return new StressPlan(
          new Documents(absolute(docs), seed, maxDocuments()),
          index == null ? null : index.toAbsolutePath().normalize(),
          out != null ? out : Path.of("weir-runs", RUN_NAME.format(LocalDateTime.now())),
          planned,
          rounds,
          HumanDuration.parse("slow-reopen-over", slowReopenOver),
          checkIndex,
          strict,
          slos.stream().map(SloOption::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private long maxDocuments() {
    if (docCount != null && docCount < 1) {
      throw new IllegalArgumentException("doc-count must be at least 1 document: " + docCount);
    }
    return docCount == null ? 0 : docCount;
  }

  /** A path as seen from everywhere, so that a kept index knows its documents again. */
  private static String absolute(String docs) {
    return docs.isEmpty() || docs.equals("synthetic") || docs.startsWith("synthetic:")
        ? docs
        : Path.of(docs).toAbsolutePath().normalize().toString();
  }
}
