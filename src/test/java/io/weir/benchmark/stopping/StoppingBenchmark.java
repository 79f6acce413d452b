package io.weir.benchmark.stopping;

import io.weir.benchmark.forcedmerge.SegmentedIndex;
import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Stops a writer, many times and at random moments of a forced merge that is held back. */
public final class StoppingBenchmark implements Benchmark {

  private static final int SEGMENTS = 8;
  private static final long SEED = 11;

  /** One line of the table. */
  record Line(Brake brake, StopTrial.Stop stop) {}

  /**
   * How much.
   *
   * @param documents of the index
   * @param trials of each line of ours
   * @param peerTrials of each line of Lucene's, which may take as long as is allowed
   * @param allowed how long a stop of ours may take before it is counted as not returned
   * @param peerAllowed the same for Lucene's
   */
  record Plan(int documents, int trials, int peerTrials, Duration allowed, Duration peerAllowed) {
    static final Plan FULL =
        new Plan(20_000, 200, 10, Duration.ofSeconds(5), Duration.ofSeconds(2));
    static final Plan QUICK = new Plan(1_000, 2, 1, Duration.ofSeconds(20), Duration.ofMillis(300));
  }

  @Override
  public String name() {
    return "stopping";
  }

  @Override
  public String summary() {
    return "time from rollback() or close() to its return while a forced merge is held back";
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    return table(measure(conditions.quick() ? Plan.QUICK : Plan.FULL, conditions));
  }

  Map<Line, List<StopTrial>> measure(Plan plan, Conditions conditions) throws Exception {
    Path work = Files.createTempDirectory(conditions.directory(), "stopping");
    Path index = Files.createDirectory(work.resolve("index"));
    try {
      conditions.progress().println("stopping: building the index");
      SegmentedIndex.build(index, SEGMENTS, plan.documents() / SEGMENTS);
      long indexBytes = bytes(index);
      SplittableRandom random = new SplittableRandom(SEED);
      Map<Line, List<StopTrial>> trials = new LinkedHashMap<>();
      for (Brake brake : Brake.values()) {
        for (StopTrial.Stop stop : StopTrial.Stop.values()) {
          List<StopTrial> line = new ArrayList<>();
          int count = brake.isWeirs() ? plan.trials() : plan.peerTrials();
          for (int i = 0; i < count; i++) {
            long freeBytes = random.nextLong(indexBytes / 2);
            Duration allowed = brake.isWeirs() ? plan.allowed() : plan.peerAllowed();
            line.add(StopTrial.run(index, brake, stop, freeBytes, allowed.toNanos()));
          }
          trials.put(new Line(brake, stop), line);
          conditions.progress().println("stopping: " + brake.title() + ", " + stop.title());
        }
      }
      return trials;
    } finally {
      delete(index);
      Files.delete(work);
    }
  }

  static TextTable table(Map<Line, List<StopTrial>> trials) {
    TextTable table =
        new TextTable(
            "stopping: a forced merge is held back, the writer is stopped",
            2,
            "held back by",
            "stopped by",
            "trials",
            "p50 ms",
            "p99 ms",
            "max ms",
            "not returned");
    trials.forEach(
        (line, list) -> {
          long[] nanos = list.stream().mapToLong(StopTrial::nanos).sorted().toArray();
          table.row(
              line.brake().title(),
              line.stop().title(),
              Integer.toString(nanos.length),
              millis(percentile(nanos, 50)),
              millis(percentile(nanos, 99)),
              millis(nanos[nanos.length - 1]),
              Long.toString(list.stream().filter(trial -> !trial.inTime()).count()));
        });
    return table
        .note("not returned: within the time allowed, which then stands for the time it took")
        .note("the merge runs free until a random moment, is held back for 20 ms, then stopped")
        .note("close commits, so it waits for the disk; with --dir on tmpfs it does not")
        .note("every trial ends with CheckIndex; an index that is not clean ends the benchmark");
  }

  private static long percentile(long[] sorted, int percent) {
    return sorted[Math.ceilDiv(sorted.length * percent, 100) - 1];
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / 1e6);
  }

  private static long bytes(Path folder) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
