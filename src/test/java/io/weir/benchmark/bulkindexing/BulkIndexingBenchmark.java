package io.weir.benchmark.bulkindexing;

import io.weir.benchmark.bulkindexing.IndexingJvms.Sharing;
import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import io.weir.report.compare.ConfidenceInterval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Documents into an empty index, two threads and no readers, until the last merge has ended and the
 * writer is closed: by each arm, in short runs with the same work.
 *
 * <p>Rounds come in pairs: one with the arms in a random order, one in that order reversed. A ratio
 * is taken within a round, so that what the machine does to a whole round falls out; {@link
 * IndexingJvms.Sharing} has three ways to run one. Several JVMs follow one another, and each gives
 * one figure, the median of its rounds: the interval is that of the mean over the JVMs, so it holds
 * what the compiler's luck does as well.
 */
public final class BulkIndexingBenchmark implements Benchmark {

  private static final long SEED = 42;

  /** Rounds for each that counts. */
  private static final int MOST_TRIES = 4;

  private static final String DOCUMENTS = "documents";
  private static final String JVMS = "jvms";
  private static final String ROUNDS = "rounds";
  private static final String WARMUPS = "warmups";
  private static final String ARMS = "arms";
  private static final String MODE = "mode";
  private static final String AGENT = "agent";
  private static final String JVM = "jvm";

  @Override
  public String name() {
    return "bulk-indexing";
  }

  @Override
  public String summary() {
    return "documents into an empty index, merges included: stock Lucene, Weir, or less a part";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(DOCUMENTS, "of each run; 16000 by default");
    options.put(JVMS, "one after the other, 5 or more for an interval; 6 by default");
    options.put(ROUNDS, "over all arms in each JVM; 30 by default");
    options.put(WARMUPS, "rounds before those, not counted; 10 by default");
    options.put(ARMS, "stock, weir, agent, no-PART[+PART...]; the first two by default");
    options.put(AGENT, "the jar of the agent, for the arm agent: tools/package makes it");
    options.put(MODE, "add by default; update: an eighth replace others");
    options.put(JVM, "shared by default: in turn; together: at once; own: one each, at once");
    return options;
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    Plan plan = Plan.of(conditions);
    return table(plan, measure(plan, conditions));
  }

  private static Measured measure(Plan plan, Conditions conditions) throws IOException {
    Measured measured = new Measured(plan.mostOthers());
    for (int jvm = 0; jvm < plan.jvms(); jvm++) {
      try (IndexingJvms process =
          new IndexingJvms(
              plan.sharing(), plan.arms(), plan.setup(), plan.agent(), conditions.directory())) {
        for (int round = -plan.warmups(); round < 0; round++) {
          runAll(plan, process, conditions, jvm, round);
        }
        int counted = 0;
        for (int round = 0; counted < plan.rounds(); round++) {
          if (round >= MOST_TRIES * plan.rounds()) {
            throw new IOException("other processes take too much of the processors");
          }
          if (measured.add(jvm, runAll(plan, process, conditions, jvm, round))) {
            counted++;
          }
        }
      }
    }
    return measured;
  }

  private static Map<IndexingArm, IndexingResult> runAll(
      Plan plan, IndexingJvms process, Conditions conditions, int jvm, int round)
      throws IOException {
    Map<IndexingArm, IndexingResult> results = process.round(plan.order(jvm, round));
    results.forEach(
        (arm, result) -> conditions.progress().println(progress(jvm, round, arm, result)));
    return results;
  }

  private static String progress(int jvm, int round, IndexingArm arm, IndexingResult result) {
    return String.format(
        Locale.ROOT,
        "bulk-indexing: JVM %d, %s, %s: wall %.3f s, of that merged by %.3f s, threads %.3f s, process %.2f s,"
            + " collections %.3f s, others %.2f s, %d merges of %d documents",
        jvm + 1,
        round < 0 ? "warm-up" : "round " + (round + 1),
        arm.name(),
        result.timing().wallNanos() / 1e9,
        result.timing().mergedNanos() / 1e9,
        result.threadsNanos() / 1e9,
        result.timing().processNanos() / 1e9,
        result.timing().gcNanos() / 1e9,
        result.othersNanos() / 1e9,
        result.timing().merges(),
        result.timing().mergedDocuments());
  }

  private static TextTable table(Plan plan, Measured measured) {
    TextTable table =
        new TextTable(
            "bulk-indexing: %d JVMs (%s), %d rounds in each, %d documents, %s, %d processors"
                .formatted(
                    plan.jvms(),
                    plan.sharing(),
                    plan.rounds(),
                    plan.setup().documents(),
                    plan.setup().updating() ? "an eighth of them updates" : "all new",
                    Runtime.getRuntime().availableProcessors()),
            2,
            "arm",
            "held against",
            "wall s",
            "ratio",
            "95 %",
            "threads s",
            "ratio",
            "95 %",
            "process s",
            "ratio",
            "95 %",
            "collections s",
            "allocated MB",
            "merges");
    for (IndexingArm arm : plan.arms()) {
      for (IndexingArm base : plan.bases(arm)) {
        row(table, plan, measured, arm, base);
      }
    }
    return table
        .note("wall: the median, to the end of the merges and of the commit that closes the writer")
        .note(
            plan.sharing() == Sharing.SHARED
                ? "the arms ran in turn"
                : "all arms ran at once, so they competed: compare what processors did, not wall")
        .note("threads: processor time of the arm's threads; not the compiler's, not collections'")
        .note("process: processor time of the whole process in the time that wall means")
        .note("allocated: on the heap, by the arm's threads")
        .note("ratio: within a round; the median of a JVM's rounds, the mean of the JVMs")
        .note("95 %: where the true ratio is expected, by how much JVMs differ")
        .note(
            "merges: how often a document is merged; the same in each run, or runs do not compare")
        .note(
            "left out: %d rounds in which other processes took more than %.0f %% of what a run took"
                .formatted(measured.disturbedRounds, 100 * plan.mostOthers()))
        .note("the documents are made beforehand; 1 GiB of heap, G1");
  }

  /** Of {@code arm}; its ratios only when {@code base} is another. */
  private static void row(
      TextTable table, Plan plan, Measured measured, IndexingArm arm, IndexingArm base) {
    Ratio wall = measured.ratio(arm, base, r -> r.timing().wallNanos());
    Ratio threads = measured.ratio(arm, base, IndexingResult::threadsNanos);
    Ratio process =
        plan.sharing() == Sharing.TOGETHER // it works for all
            ? Ratio.NONE
            : measured.ratio(arm, base, r -> r.timing().processNanos());
    table.row(
        arm.name(),
        arm.equals(base) ? "" : base.name(),
        measured.medianSeconds(arm, r -> r.timing().wallNanos()),
        wall.mean(),
        wall.interval(),
        measured.medianSeconds(arm, IndexingResult::threadsNanos),
        threads.mean(),
        threads.interval(),
        measured.medianSeconds(arm, r -> r.timing().processNanos()),
        process.mean(),
        process.interval(),
        measured.medianSeconds(arm, r -> r.timing().gcNanos()),
        measured.allocatedMegabytes(arm),
        measured.mergesOfADocument(arm, plan.setup().documents()));
  }

  /** All runs that count, by arm and JVM, in the order of the rounds. */
  private static final class Measured {

    private final Map<IndexingArm, List<List<IndexingResult>>> results = new LinkedHashMap<>();
    private final double mostOthers;
    private int disturbedRounds;

    Measured(double mostOthers) {
      this.mostOthers = mostOthers;
    }

    /** Whether the round counts: it does not when other processes slowed some of its runs. */
    boolean add(int jvm, Map<IndexingArm, IndexingResult> round) {
      if (round.values().stream().anyMatch(this::isDisturbed)) {
        disturbedRounds++;
        return false;
      }
      round.forEach(
          (arm, result) -> {
            List<List<IndexingResult>> own = results.computeIfAbsent(arm, a -> new ArrayList<>());
            if (own.size() == jvm) {
              own.add(new ArrayList<>());
            }
            own.get(jvm).add(result);
          });
      return true;
    }

    private boolean isDisturbed(IndexingResult result) {
      return result.othersNanos() > mostOthers * result.timing().processNanos();
    }

    String medianSeconds(IndexingArm arm, ToLongFunction<IndexingResult> figure) {
      return String.format(Locale.ROOT, "%.3f", median(arm, figure) / 1e9);
    }

    String allocatedMegabytes(IndexingArm arm) {
      return String.format(Locale.ROOT, "%.1f", median(arm, IndexingResult::allocatedBytes) / 1e6);
    }

    private double median(IndexingArm arm, ToLongFunction<IndexingResult> figure) {
      return PairedRatios.median(
          results.get(arm).stream()
              .flatMap(List::stream)
              .mapToDouble(figure::applyAsLong)
              .toArray());
    }

    /** One figure, or from the least to the most when runs differ. */
    String mergesOfADocument(IndexingArm arm, int documents) {
      double[] merges =
          results.get(arm).stream()
              .flatMap(List::stream)
              .mapToDouble(result -> (double) result.timing().mergedDocuments() / documents)
              .sorted()
              .toArray();
      String least = String.format(Locale.ROOT, "%.2f", merges[0]);
      String most = String.format(Locale.ROOT, "%.2f", merges[merges.length - 1]);
      return least.equals(most) ? least : least + "-" + most;
    }

    Ratio ratio(IndexingArm arm, IndexingArm base, ToLongFunction<IndexingResult> figure) {
      if (arm.equals(base)) {
        return Ratio.NONE;
      }
      List<List<IndexingResult>> own = results.get(arm);
      List<List<IndexingResult>> others = results.get(base);
      return Ratio.of(
          IntStream.range(0, own.size())
              .mapToDouble(jvm -> medianRatio(own.get(jvm), others.get(jvm), figure))
              .toArray());
    }

    private static double medianRatio(
        List<IndexingResult> own,
        List<IndexingResult> others,
        ToLongFunction<IndexingResult> figure) {
      return PairedRatios.median(
          IntStream.range(0, own.size())
              .mapToDouble(
                  i -> (double) figure.applyAsLong(own.get(i)) / figure.applyAsLong(others.get(i)))
              .toArray());
    }
  }

  /** As two cells of the table. */
  private record Ratio(String mean, String interval) {

    static final Ratio NONE = new Ratio("", "");

    /** Of one figure for each JVM. */
    static Ratio of(double[] ratios) {
      String mean =
          String.format(Locale.ROOT, "%.3f", Arrays.stream(ratios).average().orElseThrow());
      if (ratios.length < ConfidenceInterval.LEAST_VALUES) {
        return new Ratio(mean, "");
      }
      ConfidenceInterval interval = ConfidenceInterval.ofMean(ratios);
      return new Ratio(
          mean, String.format(Locale.ROOT, "%.3f-%.3f", interval.low(), interval.high()));
    }
  }

  /**
   * How much of what.
   *
   * @param warmups rounds at the beginning of each JVM that are not counted
   * @param agent the jar of the agent, which all JVMs then have; only its own arm is measured by it
   * @param mostOthers processor time of other processes in a run that counts, for each second of
   *     the run's own; with more, the run says more of them than of its arm
   * @param sharing which arms share a JVM
   */
  record Plan(
      IndexingJvm.Setup setup,
      int jvms,
      int warmups,
      int rounds,
      double mostOthers,
      Optional<Path> agent,
      List<IndexingArm> arms,
      Sharing sharing) {

    private static final double MOST_OTHERS = 0.1;

    Plan {
      if (setup.documents() < IndexingRun.BLOCKS || jvms < 1 || rounds < 1 || warmups < 0) {
        throw new IllegalArgumentException(
            "--documents must be at least %d, --jvms and --rounds at least 1, --warmups at least 0: %d, %d, %d, %d"
                .formatted(IndexingRun.BLOCKS, setup.documents(), jvms, rounds, warmups));
      }
      if (setup.documents() % IndexingRun.BLOCKS != 0) {
        throw new IllegalArgumentException(
            "--documents must be a multiple of %d: %d"
                .formatted(IndexingRun.BLOCKS, setup.documents()));
      }
      if (arms.contains(IndexingArm.AGENT) != agent.isPresent()) {
        throw new IllegalArgumentException(
            "--arms agent and --agent JAR must go together: " + agent);
      }
      arms = List.copyOf(arms);
      if (Set.copyOf(arms).size() < arms.size()) {
        throw new IllegalArgumentException("--arms must name each arm once: " + arms);
      }
    }

    static Plan of(Conditions conditions) {
      boolean quick = conditions.quick();
      return new Plan(
          new IndexingJvm.Setup(
              number(conditions, DOCUMENTS, quick ? 3_200 : 16_000), updating(conditions)),
          number(conditions, JVMS, quick ? 1 : 6),
          number(conditions, WARMUPS, quick ? 0 : 10),
          number(conditions, ROUNDS, quick ? 1 : 30),
          quick ? Double.POSITIVE_INFINITY : MOST_OTHERS,
          Optional.ofNullable(conditions.options().get(AGENT)).map(Path::of),
          Arrays.stream(conditions.options().getOrDefault(ARMS, "stock,weir").split(","))
              .map(IndexingArm::of)
              .toList(),
          Sharing.of(conditions.options().getOrDefault(JVM, "shared")));
    }

    private static boolean updating(Conditions conditions) {
      String mode = conditions.options().getOrDefault(MODE, "add");
      return switch (mode) {
        case "add" -> false;
        case "update" -> true;
        default -> throw new IllegalArgumentException("--mode must be add or update: " + mode);
      };
    }

    private static int number(Conditions conditions, String option, int otherwise) {
      String text = conditions.options().get(option);
      try {
        return text == null ? otherwise : Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("--" + option + " must be a number: " + text, e);
      }
    }

    /** The arms of a round, which is counted from 0 after the warm-up. */
    List<IndexingArm> order(int jvm, int round) {
      List<IndexingArm> order = new ArrayList<>(arms);
      Collections.shuffle(order, new Random(SEED + 1000L * jvm + Math.floorDiv(round, 2)));
      return round % 2 == 0 ? order : order.reversed();
    }

    /** What an arm is held against; itself when there is nothing else. */
    List<IndexingArm> bases(IndexingArm arm) {
      List<IndexingArm> bases = new ArrayList<>();
      if (arm.isWithoutAPart() && arms.contains(IndexingArm.WEIR)) {
        bases.add(IndexingArm.WEIR);
      }
      if (arms.contains(IndexingArm.STOCK) || bases.isEmpty()) {
        bases.add(arms.contains(IndexingArm.STOCK) ? IndexingArm.STOCK : arm);
      }
      return bases;
    }
  }
}
