package io.weir.benchmark.forcedmerge;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** A whole forced merge through each arm, in turn and back (A B B A), many times. */
public final class ForcedMergeBenchmark implements Benchmark {

  private static final int SEGMENTS = 10;

  @Override
  public String name() {
    return "forced-merge";
  }

  @Override
  public String summary() {
    return "a whole forced merge, wall and CPU: plain, the unlimited directory, all of Weir";
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    return table(measure(conditions.quick() ? Plan.QUICK : Plan.FULL, conditions));
  }

  Measured measure(Plan plan, Conditions conditions) throws IOException {
    Path index = Files.createTempDirectory(conditions.directory(), "forced-merge");
    try {
      conditions.progress().println("forced-merge: building the index");
      SegmentedIndex.build(index, SEGMENTS, plan.documents() / SEGMENTS);
      Map<MergeArm, List<MergeTrial>> trials = new EnumMap<>(MergeArm.class);
      for (int round = -plan.warmups(); round < plan.rounds(); round++) {
        List<MergeArm> order = new ArrayList<>(Arrays.asList(MergeArm.values()));
        if (round % 2 != 0) {
          Collections.reverse(order);
        }
        for (MergeArm arm : order) {
          MergeTrial trial = MergeTrial.run(index, arm, UnaryOperator.identity());
          if (round >= 0) {
            trials.computeIfAbsent(arm, a -> new ArrayList<>()).add(trial);
          }
          conditions.progress().println(progress(round, arm, trial));
        }
      }
      return new Measured(sizeBytes(index), trials);
    } finally {
      MergeTrial.deleteFlat(index);
    }
  }

  static TextTable table(Measured measured) {
    Map<MergeArm, List<MergeTrial>> trials = measured.trials();
    TextTable table =
        new TextTable(
            "forced-merge: "
                + trials.get(MergeArm.PLAIN).size()
                + " pairs, an index of "
                + figure("%.1f", measured.indexBytes() / 1e6)
                + " MB in "
                + SEGMENTS
                + " segments",
            1,
            "arm",
            "wall s, median",
            "CPU s, median",
            "wall ratio",
            "95 % interval",
            "CPU ratio",
            "95 % interval");
    double[] plainWall = seconds(trials, MergeArm.PLAIN, MergeTrial::wallNanos);
    double[] plainCpu = seconds(trials, MergeArm.PLAIN, MergeTrial::cpuNanos);
    for (MergeArm arm : MergeArm.values()) {
      double[] wall = seconds(trials, arm, MergeTrial::wallNanos);
      double[] cpu = seconds(trials, arm, MergeTrial::cpuNanos);
      PairedRatios wallRatios = PairedRatios.of(wall, plainWall);
      PairedRatios cpuRatios = PairedRatios.of(cpu, plainCpu);
      table.row(
          arm.title(),
          figure("%.3f", PairedRatios.median(wall)),
          figure("%.3f", PairedRatios.median(cpu)),
          figure("%.4f", wallRatios.median()),
          interval(wallRatios),
          figure("%.4f", cpuRatios.median()),
          interval(cpuRatios));
    }
    return table
        .note("ratio: median of the ratios to plain Lucene, pair by pair; interval: bootstrap")
        .note("forceMerge(1) of a hard-linked copy that is in the page cache, not committed")
        .note("CPU is the whole process's, compiler and collector included");
  }

  private static double[] seconds(
      Map<MergeArm, List<MergeTrial>> trials, MergeArm arm, ToLongFunction<MergeTrial> figure) {
    return trials.get(arm).stream().mapToLong(figure).mapToDouble(nanos -> nanos / 1e9).toArray();
  }

  private static String interval(PairedRatios ratios) {
    return figure("%.4f", ratios.low()) + " to " + figure("%.4f", ratios.high());
  }

  private static String progress(int round, MergeArm arm, MergeTrial trial) {
    return String.format(
        Locale.ROOT,
        "forced-merge: %s, %s: wall %.3f s, CPU %.3f s",
        round < 0 ? "warm-up" : "pair " + (round + 1),
        arm.title(),
        trial.wallNanos() / 1e9,
        trial.cpuNanos() / 1e9);
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static long sizeBytes(Path index) throws IOException {
    try (Directory directory = FSDirectory.open(index)) {
      long bytes = 0;
      for (String name : directory.listAll()) {
        bytes += directory.fileLength(name);
      }
      return bytes;
    }
  }

  /** All trials by their arm, in the order of the rounds. */
  record Measured(long indexBytes, Map<MergeArm, List<MergeTrial>> trials) {}

  /**
   * How much.
   *
   * @param warmups rounds that are thrown away
   * @param rounds of which each runs every arm once
   */
  record Plan(int documents, int warmups, int rounds) {
    static final Plan FULL = new Plan(230_000, 3, 40);
    static final Plan QUICK = new Plan(4_000, 1, 3);
  }
}
