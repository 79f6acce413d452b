package io.weir.benchmark.filters;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import io.weir.run.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Queries that are an id and a random filter, from several threads, with the filters' sets on the
 * heap and outside it. Each run is a JVM of its own; arms take turns.
 */
public final class FiltersBenchmark implements Benchmark {

  private static final String DOCUMENTS = "documents";
  private static final String FILTERS = "filters";
  private static final String THREADS = "threads";
  private static final String SECONDS = "seconds";
  private static final String RUNS = "runs";
  private static final String ARMS = "arms";
  private static final String COLLECTOR = "collector";
  private static final String INDEX = "index";
  private static final String PICTURE = "picture";

  private static final Map<String, String> COLLECTORS =
      Map.of(
          "g1", "-XX:+UseG1GC",
          "zgc", "-XX:+UseZGC",
          "parallel", "-XX:+UseParallelGC",
          "serial", "-XX:+UseSerialGC");

  /**
   * How much.
   *
   * @param seconds of each run, the second half of which counts
   * @param collector its name
   */
  record Plan(int documents, int filters, int threads, int seconds, int runs, String collector) {

    Plan {
      if (IntStream.of(documents, filters, threads, seconds, runs).min().orElseThrow() < 1) {
        throw new IllegalArgumentException(
            "--documents, --filters, --threads, --seconds and --runs must be at least 1");
      }
      if (!COLLECTORS.containsKey(collector)) {
        throw new IllegalArgumentException(
            "--collector must be g1, zgc, parallel or serial: " + collector);
      }
    }

    static Plan of(Conditions conditions) {
      boolean quick = conditions.quick();
      return new Plan(
          number(conditions, DOCUMENTS, quick ? 100_000 : 20_000_000),
          number(conditions, FILTERS, quick ? 20 : 500),
          number(conditions, THREADS, quick ? 2 : 8),
          number(conditions, SECONDS, quick ? 2 : 60),
          number(conditions, RUNS, quick ? 1 : 5),
          conditions.options().getOrDefault(COLLECTOR, "g1"));
    }

    private static int number(Conditions conditions, String option, int otherwise) {
      String text = conditions.options().get(option);
      try {
        return text == null ? otherwise : Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("--" + option + " must be a number: " + text, e);
      }
    }
  }

  /** One JVM: what it measured, and its pauses. */
  record Run(FilterClient.Result result, List<GcLog.Pause> pauses) {

    double queriesPerSecond() {
      return result.queries() / (result.toSeconds() - result.fromSeconds());
    }

    /** Those of the second half. */
    List<GcLog.Pause> counted() {
      return pauses.stream()
          .filter(pause -> pause.seconds() >= result.fromSeconds())
          .filter(pause -> pause.seconds() <= result.toSeconds())
          .toList();
    }

    double pauseMillis() {
      return counted().stream().mapToDouble(GcLog.Pause::millis).sum();
    }

    double longestPauseMillis() {
      return counted().stream().mapToDouble(GcLog.Pause::millis).max().orElse(0);
    }

    double longestOfAllMillis() {
      return pauses.stream().mapToDouble(GcLog.Pause::millis).max().orElse(0);
    }

    double heapMegabytes() {
      return result.samples().stream()
          .mapToDouble(sample -> sample.committedBytes() / 1e6)
          .max()
          .orElse(0);
    }

    double residentMegabytes() {
      return result.anonymousBytes() / 1e6;
    }
  }

  @Override
  public String name() {
    return "filters";
  }

  @Override
  public String summary() {
    return "500 cached filters on the heap and outside it: pauses, latency, memory";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(DOCUMENTS, "of the index; 20000000 by default");
    options.put(FILTERS, "500 by default");
    options.put(THREADS, "that search; 8 by default");
    options.put(SECONDS, "of each run, half of which counts; 60 by default");
    options.put(RUNS, "of each arm; 5 by default");
    options.put(ARMS, "stock, off-heap, off-heap-small; all by default");
    options.put(COLLECTOR, "g1 by default, zgc, parallel, serial");
    options.put(INDEX, "where the index is kept for another time");
    options.put(PICTURE, "a file for a chart of each arm's heap, SVG");
    return options;
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    Plan plan = Plan.of(conditions);
    List<FilterArm> arms =
        Arrays.stream(
                conditions.options().getOrDefault(ARMS, "stock,off-heap,off-heap-small").split(","))
            .map(FilterArm::of)
            .toList();
    Path work = Files.createTempDirectory(conditions.directory().toAbsolutePath(), "filters");
    try {
      Map<FilterArm, List<Run>> runs = measure(plan, arms, conditions, work);
      String picture = conditions.options().get(PICTURE);
      if (picture != null) {
        Files.writeString(Path.of(picture), HeapPicture.draw(typical(runs)));
      }
      return table(plan, runs);
    } finally {
      try (Stream<Path> files = Files.walk(work)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  static Map<FilterArm, List<Run>> measure(
      Plan plan, List<FilterArm> arms, Conditions conditions, Path work)
      throws IOException, InterruptedException {
    String kept = conditions.options().get(INDEX);
    Path index = kept == null ? work.resolve("index") : Path.of(kept).toAbsolutePath();
    conditions.progress().println("filters: index of " + plan.documents() + " documents");
    FilterIndex.make(index, plan.documents());
    Map<FilterArm, List<Run>> runs = new EnumMap<>(FilterArm.class);
    arms.forEach(arm -> runs.put(arm, new ArrayList<>()));
    for (int round = 0; round < plan.runs(); round++) {
      List<FilterArm> order = new ArrayList<>(arms);
      Collections.rotate(order, round);
      for (FilterArm arm : order) {
        Run run = measure(new FilterClient.Task(arm, plan, index), work);
        runs.get(arm).add(run);
        conditions
            .progress()
            .printf(
                Locale.ROOT,
                "filters: run %d, %s: %.0f queries/s, p99.9 %.1f ms, longest pause %.1f ms%n",
                round + 1,
                arm.label(),
                run.queriesPerSecond(),
                run.result().millis().get(2),
                run.longestPauseMillis());
      }
    }
    return runs;
  }

  private static Run measure(FilterClient.Task task, Path work)
      throws IOException, InterruptedException {
    Path log = work.resolve("gc.log");
    Path answer = work.resolve("result.json");
    Path errors = work.resolve("errors.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(task.arm().memory(task.plan()));
    command.addAll(
        List.of(
            COLLECTORS.get(task.plan().collector()),
            GcLog.OPTION.formatted(log),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            FilterClient.class.getName(),
            RunJson.line(task),
            answer.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile())
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(
            "the JVM of %s failed:%n%s".formatted(task.arm().label(), Files.readString(errors)));
      }
    } finally {
      process.destroyForcibly();
    }
    return new Run(
        RunJson.ofLine(Files.readString(answer), FilterClient.Result.class),
        GcLog.pauses(Files.readAllLines(log)));
  }

  /** Of each arm the run with the middle throughput. */
  private static Map<String, Run> typical(Map<FilterArm, List<Run>> runs) {
    Map<String, Run> typical = new LinkedHashMap<>();
    runs.forEach(
        (arm, all) ->
            typical.put(
                arm.label(),
                all.stream()
                    .sorted(Comparator.comparingDouble(Run::queriesPerSecond))
                    .toList()
                    .get(all.size() / 2)));
    return typical;
  }

  static TextTable table(Plan plan, Map<FilterArm, List<Run>> runs) {
    TextTable table =
        new TextTable(
            "filters: %d over %d documents, %d threads, %d runs of %d s, %s"
                .formatted(
                    plan.filters(),
                    plan.documents(),
                    plan.threads(),
                    plan.runs(),
                    plan.seconds(),
                    plan.collector()),
            1,
            "arm",
            "queries/s",
            "p50 ms",
            "p99",
            "p99.9",
            "p99.99",
            "max",
            "pauses",
            "together ms",
            "longest",
            "longest of all",
            "hits %",
            "others %",
            "heap MB",
            "resident MB");
    runs.forEach(
        (arm, all) ->
            table.row(
                arm.label(),
                figure("%.0f", median(all, Run::queriesPerSecond)),
                figure("%.3f", median(all, run -> run.result().millis().get(0))),
                figure("%.2f", median(all, run -> run.result().millis().get(1))),
                figure("%.2f", median(all, run -> run.result().millis().get(2))),
                figure("%.1f", median(all, run -> run.result().millis().get(3))),
                range("%.0f", all, run -> run.result().millis().get(4)),
                figure("%.0f", median(all, run -> run.counted().size())),
                figure("%.0f", median(all, Run::pauseMillis)),
                range("%.1f", all, Run::longestPauseMillis),
                range("%.1f", all, Run::longestOfAllMillis),
                figure("%.1f", median(all, FiltersBenchmark::hitPercent)),
                range("%.0f", all, run -> run.result().othersPercent()),
                range("%.0f", all, Run::heapMegabytes),
                range("%.0f", all, Run::residentMegabytes)));
    runs.entrySet().stream()
        .filter(entry -> entry.getKey() == FilterArm.OFF_HEAP)
        .forEach(
            entry ->
                table.note(
                    "to free a set, µs: %s by eviction into the pool, %s by closing a shared arena"
                        .formatted(
                            figure("%.1f", median(entry.getValue(), r -> nanosOfEviction(r) / 1e3)),
                            figure(
                                "%.1f",
                                median(
                                    entry.getValue(),
                                    run -> run.result().arenaCloseNanos() / 1e3)))));
    return table
        .note("second half of each run; medians of the runs, or the least and the most")
        .note("each thread sends its next query after the answer, so a pause delays few queries")
        .note("longest of all: in the first half too, in which the filters are computed")
        .note("others: what other processes took of the processors in the second half")
        .note("heap: the most that was committed; resident: the most, without mapped files");
  }

  private static double nanosOfEviction(Run run) {
    return run.result().evictNanos();
  }

  private static double hitPercent(Run run) {
    return 100.0 * run.result().hits() / (run.result().hits() + run.result().misses());
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> figure) {
    return PairedRatios.median(runs.stream().mapToDouble(figure).toArray());
  }

  private static String range(String form, List<Run> runs, ToDoubleFunction<Run> figure) {
    String least = figure(form, runs.stream().mapToDouble(figure).min().orElseThrow());
    String most = figure(form, runs.stream().mapToDouble(figure).max().orElseThrow());
    return least.equals(most) ? least : least + "-" + most;
  }

  private static String figure(String form, double value) {
    return String.format(Locale.ROOT, form, value);
  }
}
