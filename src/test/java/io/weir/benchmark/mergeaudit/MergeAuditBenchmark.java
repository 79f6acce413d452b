package io.weir.benchmark.mergeaudit;

import io.weir.Weir;
import io.weir.benchmark.forcedmerge.SegmentedIndex;
import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.CountedDisk;
import io.weir.benchmark.kit.TextTable;
import io.weir.procfs.BlockDevice;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Forced merges of Lucene and of Weir, and what the kernel and the disk counted meanwhile. */
public final class MergeAuditBenchmark implements Benchmark {

  private static final int SEGMENTS = 16;

  @Override
  public String name() {
    return "merge-audit";
  }

  @Override
  public String summary() {
    return "what a forced merge reads and writes: as charged, and as the disk counts";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("documents", "in the index (400000)");
    options.put("numbers", "in each document, as doc values and as points (0)");
    options.put("runs", "of each, in turn (3)");
    return options;
  }

  /** A merge of a run, by what it was called. */
  record Row(String title, AuditedMerge merge) {}

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    int documents = option(conditions, "documents", conditions.quick() ? 2_000 : 400_000, SEGMENTS);
    int numbers = option(conditions, "numbers", conditions.quick() ? 4 : 0, 0);
    int runs = option(conditions, "runs", conditions.quick() ? 1 : 3, 1);
    Optional<String> obstacle = obstacle(conditions.directory());
    if (obstacle.isPresent()) {
      throw new IllegalArgumentException(obstacle.get());
    }
    Path index = Files.createTempDirectory(conditions.directory(), "merge-audit");
    try (Weir weir = AuditedMerge.open(index)) {
      conditions.progress().println("merge-audit: building the index");
      SegmentedIndex.build(weir.directory(), SEGMENTS, documents / SEGMENTS, numbers);
      return table(size(index), measure(weir, index, runs, conditions));
    } finally {
      delete(index);
    }
  }

  private static int option(Conditions conditions, String name, int byDefault, int least) {
    String text = conditions.options().getOrDefault(name, Integer.toString(byDefault));
    if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < least) {
      throw new IllegalArgumentException(
          "--" + name + " must be a number from " + least + ": " + text);
    }
    return Integer.parseInt(text);
  }

  /** Why nothing can be measured in a directory. */
  static Optional<String> obstacle(Path directory) throws IOException {
    return Procfs.SYSTEM.selfIo().map(IoCounters::readBytes).filter(b -> b.isPresent()).isEmpty()
        ? Optional.of("/proc/self/io cannot be read")
        : CountedDisk.obstacle(directory);
  }

  private static List<Row> measure(Weir weir, Path index, int runs, Conditions conditions)
      throws IOException {
    BlockDevice device = CountedDisk.of(index).orElseThrow();
    List<Row> rows = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      System.gc(); // the page cache gets what the heap does not need
      add(rows, "Lucene, run " + run, AuditedMerge.ofLucene(index, device), conditions);
      add(rows, "Weir, run " + run, AuditedMerge.ofWeir(weir, index, device), conditions);
    }
    return rows;
  }

  private static void add(List<Row> rows, String title, AuditedMerge merge, Conditions conditions) {
    rows.add(new Row(title, merge));
    conditions
        .progress()
        .println("merge-audit: %s: %s s".formatted(title, figure(merge.seconds())));
  }

  static TextTable table(long indexBytes, List<Row> rows) {
    TextTable table =
        new TextTable(
            "merge-audit: forceMerge(1) of %s MB".formatted(megabytes(indexBytes)),
            1,
            "merge",
            "seconds",
            "disk read",
            "process read",
            "charged read",
            "disk written",
            "charged written",
            "charged read / process",
            "charged / disk",
            "process read / index");
    for (Row row : rows) {
      AuditedMerge merge = row.merge();
      Optional<AuditedMerge.Charged> charged = merge.charged();
      table.row(
          row.title(),
          figure(merge.seconds()),
          megabytes(merge.device().read()),
          megabytes(merge.processRead()),
          charged.map(c -> megabytes(c.read())).orElse("-"),
          megabytes(merge.device().written()),
          charged.map(c -> megabytes(c.written())).orElse("-"),
          charged.map(c -> ratio(c.read(), merge.processRead())).orElse("-"),
          charged.map(c -> ratio(c.read() + c.written(), merge.device().all())).orElse("-"),
          ratio(merge.processRead(), indexBytes));
    }
    return table
        .note("MB is 10^6 bytes; the index is not in the page cache when the merge begins")
        .note(
            "disk: the sectors that the device counts until the output is synced, journal included")
        .note(
            "process: what the kernel has read from storage for this process, until forceMerge returns")
        .note("the merge is rolled back, so each run merges the same segments");
  }

  private static String ratio(long part, long of) {
    return of == 0 ? "-" : String.format(Locale.ROOT, "%.3f", (double) part / of);
  }

  private static String megabytes(long bytes) {
    return figure(bytes / 1e6);
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static long size(Path index) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
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
