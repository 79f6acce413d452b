package io.weir.benchmark.operationscap;

import io.weir.Weir;
import io.weir.benchmark.forcedmerge.SegmentedIndex;
import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.CountedDisk;
import io.weir.benchmark.kit.TextTable;
import io.weir.control.OperationsCap;
import io.weir.control.OperationsScope;
import io.weir.procfs.BlockDevice;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Forced merges under a cap on operations per second, against the device's own counters. */
public final class OperationsCapBenchmark implements Benchmark {

  private static final int SEGMENTS = 8;
  private static final double START_SECONDS = 10;

  @Override
  public String name() {
    return "operations-cap";
  }

  @Override
  public String summary() {
    return "a forced merge under a cap on operations/s: what the device did";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("limit", "operations per second (150)");
    options.put("documents", "in the index (400000)");
    options.put("runs", "with the cap, after one without (3)");
    return options;
  }

  /**
   * How much.
   *
   * @param limit operations per second
   * @param documents of the index
   * @param runs with the cap
   */
  record Plan(long limit, int documents, int runs) {
    static final Plan FULL = new Plan(150, 400_000, 3);
    static final Plan QUICK = new Plan(1_000, 2_000, 1);
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    Plan base = conditions.quick() ? Plan.QUICK : Plan.FULL;
    Plan plan =
        new Plan(
            option(conditions, "limit", base.limit(), 10),
            option(conditions, "documents", base.documents(), SEGMENTS),
            option(conditions, "runs", base.runs(), 1));
    Optional<String> obstacle = CountedDisk.obstacle(conditions.directory());
    if (obstacle.isPresent()) {
      throw new IllegalArgumentException(obstacle.get());
    }
    return table(plan, measure(plan, conditions));
  }

  private static int option(Conditions conditions, String name, long byDefault, int least) {
    String text = conditions.options().getOrDefault(name, Long.toString(byDefault));
    if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < least) {
      throw new IllegalArgumentException(
          "--" + name + " must be a number from " + least + ": " + text);
    }
    return Integer.parseInt(text);
  }

  /** The first merge has no cap. The others have one cap, which learns from one to the next. */
  List<CappedMerge> measure(Plan plan, Conditions conditions) throws Exception {
    Path index = Files.createTempDirectory(conditions.directory(), "operations-cap");
    BlockDevice device = CountedDisk.of(index).orElseThrow();
    try {
      conditions.progress().println("operations-cap: building the index");
      SegmentedIndex.build(index, SEGMENTS, plan.documents() / SEGMENTS);
      List<CappedMerge> merges = new ArrayList<>();
      merges.add(CappedMerge.run(index, device, weir()));
      report(conditions, merges);
      Weir weir = weir();
      OperationsCap cap =
          OperationsCap.hold(
              index,
              plan.limit(),
              OperationsScope.DEVICE,
              weir.budget(),
              List.of(weir.scheduler()));
      try (cap) {
        for (int run = 0; run < plan.runs(); run++) {
          merges.add(CappedMerge.run(index, device, weir));
          report(conditions, merges);
        }
      }
      return merges;
    } finally {
      delete(index);
    }
  }

  private static Weir weir() {
    return new Weir(
        new ByteBudget(BudgetOptions.of(Rate.UNLIMITED).counting(Counting.READS_AND_WRITES)));
  }

  private static void report(Conditions conditions, List<CappedMerge> merges) {
    DeviceOperations operations = merges.getLast().operations();
    conditions
        .progress()
        .println(
            "operations-cap: %s: %s s, %s operations/s"
                .formatted(
                    title(merges.size() - 1),
                    figure(operations.seconds()),
                    figure(operations.perSecondAfter(0).orElse(Double.NaN))));
  }

  static TextTable table(Plan plan, List<CappedMerge> merges) {
    TextTable table =
        new TextTable(
            "operations-cap: a limit of " + plan.limit() + " operations/s",
            1,
            "merge",
            "seconds",
            "operations/s",
            "of the limit",
            "without the first 10 s",
            "most in 10 s",
            "most in 1 s",
            "KB an operation");
    for (int run = 0; run < merges.size(); run++) {
      DeviceOperations operations = merges.get(run).operations();
      OptionalDouble mean = operations.perSecondAfter(0);
      table.row(
          title(run),
          figure(operations.seconds()),
          figure(mean.orElse(Double.NaN)),
          share(mean, plan),
          share(operations.perSecondAfter(START_SECONDS), plan),
          share(operations.mostPerSecondIn(START_SECONDS), plan),
          share(operations.mostPerSecondIn(1), plan),
          figure(
              merges.get(run).bytes() / 1e3 / Math.max(1, mean.orElse(0) * operations.seconds())));
    }
    return table
        .note("operations: completed by the device, reads and writes, whoever asked for them")
        .note("the index is not in the page cache; the merge is rolled back after forceMerge(1)")
        .note("bytes: what the merge read and wrote; the journal is among the operations alone")
        .note("one cap for all runs: in the first it does not know yet what a byte costs")
        .note("a merge that is not held back by the limit stays below it; -: it was too short");
  }

  private static String title(int run) {
    return run == 0 ? "no cap" : "cap, run " + run;
  }

  private static String share(OptionalDouble perSecond, Plan plan) {
    return perSecond.isEmpty()
        ? "-"
        : String.format(Locale.ROOT, "%.1f %%", 100 * perSecond.getAsDouble() / plan.limit());
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static void delete(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(index);
  }
}
