package io.weir.benchmark.bulkindexing;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.stress.result.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Documents into an empty index, two threads and no readers, until the last merge has ended and the
 * writer is closed: by each arm in turn, each time in a JVM of its own.
 *
 * <p>Rounds come in pairs: one with the arms in a random order, one in that order reversed. A ratio
 * is taken within a round, so that what the machine does to a whole round falls out.
 */
public final class BulkIndexingBenchmark implements Benchmark {

  private static final int THREADS = 2;
  private static final long SEED = 42;

  private static final String DOCUMENTS = "documents";
  private static final String ROUNDS = "rounds";
  private static final String ARMS = "arms";

  @Override
  public String name() {
    return "bulk-indexing";
  }

  @Override
  public String summary() {
    return "documents into an empty index, merges included: stock Lucene, Weir, Weir less a part";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(DOCUMENTS, "how many; 500000 by default");
    options.put(ROUNDS, "5 or more for an interval; 10 by default");
    options.put(ARMS, "generator, stock, weir, no-PART[+PART...]; the first three by default");
    return options;
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    Plan plan = Plan.of(conditions);
    return table(plan, measure(plan, conditions));
  }

  private static Map<IndexingArm, List<IndexingRun.Result>> measure(
      Plan plan, Conditions conditions) throws IOException, InterruptedException {
    Map<IndexingArm, List<IndexingRun.Result>> results = new LinkedHashMap<>();
    plan.arms().forEach(arm -> results.put(arm, new ArrayList<>()));
    for (int round = 0; round < plan.rounds(); round++) {
      for (IndexingArm arm : plan.order(round)) {
        IndexingRun.Result result = run(arm, plan.documents(), conditions.directory());
        results.get(arm).add(result);
        conditions
            .progress()
            .println(
                String.format(
                    Locale.ROOT,
                    "bulk-indexing: round %d, %s: wall %.2f s, of that adding %.2f s, processor"
                        + " %.2f s, collections %.2f s, each document merged %.2f times",
                    round + 1,
                    arm.name(),
                    result.wallNanos() / 1e9,
                    result.addingNanos() / 1e9,
                    result.cpuNanos() / 1e9,
                    result.gcNanos() / 1e9,
                    (double) result.mergedDocuments() / plan.documents()));
      }
    }
    return results;
  }

  /** In a JVM of its own, with a collector and a heap that do not depend on the machine. */
  private static IndexingRun.Result run(IndexingArm arm, int documents, Path directory)
      throws IOException, InterruptedException {
    Path place = Files.createTempDirectory(directory.toAbsolutePath(), "bulk-indexing");
    try {
      Path task = place.resolve("task.json");
      Path answer = place.resolve("result.json");
      Path errors = place.resolve("errors.txt");
      Path index = Files.createDirectory(place.resolve("index"));
      RunJson.write(task, new IndexingRun.Task(arm.name(), documents, THREADS, index));
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xms1g",
                  "-Xmx1g",
                  "-XX:+UseG1GC",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  IndexingRun.class.getName(),
                  task.toString(),
                  answer.toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(errors.toFile())
              .start();
      try {
        if (process.waitFor() != 0) {
          throw new IOException(
              "the JVM of %s ended with %d:%n%s"
                  .formatted(arm.name(), process.exitValue(), Files.readString(errors)));
        }
      } finally {
        process.destroyForcibly(); // else it would go on when this thread is interrupted
      }
      return RunJson.read(answer, IndexingRun.Result.class);
    } finally {
      deleteTree(place);
    }
  }

  private static void deleteTree(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static TextTable table(Plan plan, Map<IndexingArm, List<IndexingRun.Result>> results) {
    TextTable table =
        new TextTable(
            "bulk-indexing: %d rounds, %d documents, %d threads, %d processors"
                .formatted(
                    plan.rounds(),
                    plan.documents(),
                    THREADS,
                    Runtime.getRuntime().availableProcessors()),
            2,
            "arm",
            "held against",
            "wall s",
            "ratio",
            "95 %",
            "processor s",
            "ratio",
            "95 %",
            "collections s",
            "merges");
    List<IndexingRun.Result> stock = results.get(IndexingArm.STOCK);
    List<IndexingRun.Result> weir = results.get(IndexingArm.WEIR);
    results.forEach(
        (arm, own) -> {
          if (arm.isWithoutAPart() && weir != null) {
            row(table, plan, arm, own, IndexingArm.WEIR.name(), weir);
          }
          boolean compared = stock != null && !own.equals(stock) && arm != IndexingArm.GENERATOR;
          row(
              table,
              plan,
              arm,
              own,
              compared ? IndexingArm.STOCK.name() : "",
              compared ? stock : null);
        });
    return table
        .note("wall: the median, to the end of the merges and of the commit that closes the writer")
        .note("processor: the median of what the whole process took in that time")
        .note("ratio: the mean of those within each round; 95 %: where the true one is expected")
        .note("merges: how often a document is merged, in the mean; it differs by chance")
        .note("generator: the documents alone, made by the same threads and given to nobody")
        .note("each run in a JVM of its own, with 1 GiB of heap and G1; its warm-up is in it");
  }

  private static void row(
      TextTable table,
      Plan plan,
      IndexingArm arm,
      List<IndexingRun.Result> own,
      String against,
      List<IndexingRun.Result> base) {
    double[] wall = seconds(own, IndexingRun.Result::wallNanos);
    double[] cpu = seconds(own, IndexingRun.Result::cpuNanos);
    double[] gc = seconds(own, IndexingRun.Result::gcNanos);
    Ratio wallRatio = Ratio.of(wall, base, IndexingRun.Result::wallNanos);
    Ratio cpuRatio = Ratio.of(cpu, base, IndexingRun.Result::cpuNanos);
    table.row(
        arm.name(),
        against,
        figure(PairedRatios.median(wall)),
        wallRatio.mean(),
        wallRatio.interval(),
        figure(PairedRatios.median(cpu)),
        cpuRatio.mean(),
        cpuRatio.interval(),
        figure(PairedRatios.median(gc)),
        figure(
            own.stream().mapToLong(IndexingRun.Result::mergedDocuments).average().orElse(0)
                / plan.documents()));
  }

  private static double[] seconds(
      List<IndexingRun.Result> results, ToLongFunction<IndexingRun.Result> figure) {
    return results.stream().mapToDouble(result -> figure.applyAsLong(result) / 1e9).toArray();
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** As two cells of the table. */
  private record Ratio(String mean, String interval) {

    static Ratio of(
        double[] own, List<IndexingRun.Result> base, ToLongFunction<IndexingRun.Result> figure) {
      if (base == null) {
        return new Ratio("", "");
      }
      double[] bases = seconds(base, figure);
      double[] ratios = new double[own.length];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = own[i] / bases[i];
      }
      String mean = String.format(Locale.ROOT, "%.3f", Arrays.stream(ratios).average().orElse(0));
      if (ratios.length < ConfidenceInterval.LEAST_VALUES) {
        return new Ratio(mean, "");
      }
      ConfidenceInterval interval = ConfidenceInterval.ofMean(ratios);
      return new Ratio(
          mean, String.format(Locale.ROOT, "%.3f-%.3f", interval.low(), interval.high()));
    }
  }

  /** How much of what. */
  record Plan(int documents, int rounds, List<IndexingArm> arms) {

    Plan {
      if (documents < 1 || rounds < 1) {
        throw new IllegalArgumentException(
            "--documents and --rounds must be at least 1: %d, %d".formatted(documents, rounds));
      }
      arms = List.copyOf(arms);
      if (Set.copyOf(arms).size() < arms.size()) {
        throw new IllegalArgumentException("--arms must name each arm once: " + arms);
      }
    }

    static Plan of(Conditions conditions) {
      return new Plan(
          number(conditions, DOCUMENTS, conditions.quick() ? 3_000 : 500_000),
          number(conditions, ROUNDS, conditions.quick() ? 1 : 10),
          Arrays.stream(conditions.options().getOrDefault(ARMS, "generator,stock,weir").split(","))
              .map(IndexingArm::of)
              .toList());
    }

    private static int number(Conditions conditions, String option, int otherwise) {
      String text = conditions.options().get(option);
      try {
        return text == null ? otherwise : Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("--" + option + " must be a number: " + text, e);
      }
    }

    /** The arms of a round, counted from 0. */
    List<IndexingArm> order(int round) {
      List<IndexingArm> order = new ArrayList<>(arms);
      Collections.shuffle(order, new Random(SEED + round / 2));
      return round % 2 == 0 ? order : order.reversed();
    }
  }
}
