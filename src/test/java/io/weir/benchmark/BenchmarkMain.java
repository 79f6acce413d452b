package io.weir.benchmark;

import io.weir.benchmark.accuracy.AccuracyBenchmark;
import io.weir.benchmark.bulkindexing.BulkIndexingBenchmark;
import io.weir.benchmark.enginebulk.EngineBulkBenchmark;
import io.weir.benchmark.falsealarms.FalseAlarmsBenchmark;
import io.weir.benchmark.filters.FiltersBenchmark;
import io.weir.benchmark.forcedmerge.ForcedMergeBenchmark;
import io.weir.benchmark.grants.GrantsBenchmark;
import io.weir.benchmark.headlines.HeadlinesBenchmark;
import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.mergeaudit.MergeAuditBenchmark;
import io.weir.benchmark.residentkeys.KeyCostsBenchmark;
import io.weir.benchmark.residentkeys.ResidentKeysBenchmark;
import io.weir.benchmark.scrape.ScrapeBenchmark;
import io.weir.benchmark.stopping.StoppingBenchmark;
import io.weir.benchmark.whytrials.WhyCostBenchmark;
import io.weir.benchmark.whytrials.WhyTrialsBenchmark;
import io.weir.benchmark.writepath.WritePathBenchmark;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The command {@code tools/bench}: {@code NAME [--quick] [--dir DIR] [--OPTION VALUE...]}. The
 * table goes to standard output, progress to standard error. Exit codes: 0 done, 1 something broke,
 * 2 asked wrongly.
 */
public final class BenchmarkMain {

  static final int DONE = 0;
  static final int USAGE = 2;

  private static final List<Benchmark> BENCHMARKS =
      List.of(
          new WritePathBenchmark(),
          new AccuracyBenchmark(),
          new GrantsBenchmark(),
          new ForcedMergeBenchmark(),
          new BulkIndexingBenchmark(),
          new EngineBulkBenchmark(),
          new StoppingBenchmark(),
          new ResidentKeysBenchmark(),
          new KeyCostsBenchmark(),
          new ScrapeBenchmark(),
          new FalseAlarmsBenchmark(),
          new FiltersBenchmark(),
          new MergeAuditBenchmark(),
          new HeadlinesBenchmark(),
          new WhyTrialsBenchmark(),
          new WhyCostBenchmark());

  /** Lucene tells of the vector instructions it could have; kept here or it would be forgotten. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private BenchmarkMain() {}

  /** Runs the benchmark that {@code arguments} name and ends the JVM. */
  public static void main(String[] arguments) throws Exception {
    LUCENE.setLevel(Level.SEVERE);
    System.exit(run(arguments, System.out, System.err));
  }

  /** Does what {@code arguments} ask for and answers the exit code. */
  static int run(String[] arguments, PrintStream out, PrintStream err) throws Exception {
    String name = null;
    boolean quick = false;
    Map<String, String> options = new LinkedHashMap<>();
    Path directory = Path.of(System.getProperty("weir.bench.directory", "target/bench"));
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (argument.equals("--help")) {
        out.print(usage());
        return DONE;
      } else if (argument.equals("--quick")) {
        quick = true;
      } else if (argument.equals("--dir") && i + 1 < arguments.length) {
        directory = Path.of(arguments[++i]);
      } else if (isFlag(argument)) {
        options.put(argument.substring(2), "true");
      } else if (argument.startsWith("--") && i + 1 < arguments.length) {
        options.put(argument.substring(2), arguments[++i]);
      } else if (name == null && !argument.startsWith("-")) {
        name = argument;
      } else {
        err.println("bench: NAME [--quick] [--dir DIR] was expected: '" + argument + "'");
        return USAGE;
      }
    }
    if (name == null) {
      out.print(usage());
      return DONE;
    }
    Optional<Benchmark> found = find(name);
    if (found.isEmpty()) {
      err.println("bench: no benchmark is called '" + name + "'; tools/bench lists them");
      return USAGE;
    }
    for (String option : options.keySet()) {
      if (!found.get().options().containsKey(option) && !found.get().flags().containsKey(option)) {
        err.println("bench: " + name + " has no option --" + option + "; tools/bench lists them");
        return USAGE;
      }
    }
    Files.createDirectories(directory);
    try {
      out.print(found.get().run(new Conditions(quick, directory, err, options)).render());
    } catch (IllegalArgumentException e) {
      err.println("bench: " + e.getMessage());
      return USAGE;
    }
    return DONE;
  }

  private static boolean isFlag(String argument) {
    return argument.startsWith("--")
        && BENCHMARKS.stream()
            .anyMatch(benchmark -> benchmark.flags().containsKey(argument.substring(2)));
  }

  private static Optional<Benchmark> find(String name) {
    return BENCHMARKS.stream().filter(benchmark -> benchmark.name().equals(name)).findFirst();
  }

  private static String usage() {
    StringBuilder usage =
        new StringBuilder("tools/bench NAME [--quick] [--dir DIR], where NAME is one of\n");
    for (Benchmark benchmark : BENCHMARKS) {
      usage.append("  %-14s %s%n".formatted(benchmark.name(), benchmark.summary()));
      for (Map<String, String> choices : List.of(benchmark.options(), benchmark.flags())) {
        choices.forEach(
            (option, meaning) ->
                usage.append("                  --%-10s %s%n".formatted(option, meaning)));
      }
    }
    return usage
        .append("--quick takes seconds and its figures mean little; DIR is where files are made.\n")
        .toString();
  }
}
