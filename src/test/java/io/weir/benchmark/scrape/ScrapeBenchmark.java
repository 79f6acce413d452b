package io.weir.benchmark.scrape;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Scrapes a node with many indexes, as Prometheus does, and as somebody who takes no gzip. */
public final class ScrapeBenchmark implements Benchmark {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** What Prometheus asks for first, when it has not been told otherwise. */
  private static final String OPEN_METRICS = "application/openmetrics-text;version=1.0.0";

  /**
   * How much.
   *
   * @param warmups scrapes that are not counted
   * @param scrapes of each kind, one after the other
   */
  record Plan(List<Integer> indexes, int warmups, int scrapes) {
    static final Plan FULL = new Plan(List.of(1, 50), 1000, 500);
    static final Plan QUICK = new Plan(List.of(1, 3), 3, 3);
  }

  /** How a scrape is asked for. */
  enum Kind {
    PLAIN("text", null, false),
    OPEN("OpenMetrics, gzip", OPEN_METRICS, true);

    private final String title;
    private final String accept;
    private final boolean compressed;

    Kind(String title, String accept, boolean compressed) {
      this.title = title;
      this.accept = accept;
      this.compressed = compressed;
    }
  }

  /**
   * What was measured of one kind.
   *
   * @param samples lines of the answer that are no comments
   * @param sentBytes of the answer, as it went over the wire
   * @param nanos of each scrape, from the request to the last byte
   * @param cpuNanos of the process for each, the client's share included
   */
  record Measured(
      int indexes,
      boolean histograms,
      Kind kind,
      long samples,
      long sentBytes,
      long[] nanos,
      double cpuNanos) {

    double millis(double quantile) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      return sorted[(int) Math.ceil(quantile * sorted.length) - 1] / 1e6;
    }
  }

  @Override
  public String name() {
    return "scrape";
  }

  @Override
  public String summary() {
    return "ms and bytes of a scrape of all meters: 1 and 50 indexes, with and without buckets";
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    return table(measure(conditions.quick() ? Plan.QUICK : Plan.FULL, conditions));
  }

  List<Measured> measure(Plan plan, Conditions conditions) throws Exception {
    List<Measured> measured = new ArrayList<>();
    for (int indexes : plan.indexes()) {
      for (boolean histograms : new boolean[] {false, true}) {
        conditions
            .progress()
            .printf("scrape: %d indexes%s%n", indexes, histograms ? ", with buckets" : "");
        measured.addAll(measure(plan, conditions, indexes, histograms));
      }
    }
    return measured;
  }

  private static List<Measured> measure(
      Plan plan, Conditions conditions, int indexes, boolean histograms) throws Exception {
    List<Measured> measured = new ArrayList<>();
    Path directory = Files.createTempDirectory(conditions.directory(), "scrape");
    try (ScrapedNode node =
        new ScrapedNode(
            directory,
            indexes,
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            histograms)) {
      for (Kind kind : Kind.values()) {
        measured.add(measure(plan, node, indexes, histograms, kind));
      }
    } finally {
      delete(directory);
    }
    return measured;
  }

  private static Measured measure(
      Plan plan, ScrapedNode node, int indexes, boolean histograms, Kind kind) throws IOException {
    byte[] buffer = new byte[1 << 16];
    for (int i = 0; i < plan.warmups(); i++) {
      scrape(node, kind, buffer);
    }
    long[] nanos = new long[plan.scrapes()];
    long sentBytes = 0;
    long cpuBefore = PROCESS.getProcessCpuTime();
    for (int i = 0; i < nanos.length; i++) {
      long before = System.nanoTime();
      sentBytes = scrape(node, kind, buffer);
      nanos[i] = System.nanoTime() - before;
    }
    double cpuNanos = (double) (PROCESS.getProcessCpuTime() - cpuBefore) / nanos.length;
    long samples =
        node.registry
            .scrape()
            .lines()
            .filter(line -> !line.isEmpty() && line.charAt(0) != '#')
            .count();
    return new Measured(indexes, histograms, kind, samples, sentBytes, nanos, cpuNanos);
  }

  /** On a connection that is kept, as Prometheus does it. */
  private static long scrape(ScrapedNode node, Kind kind, byte[] buffer) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) node.metrics().toURL().openConnection(Proxy.NO_PROXY);
    if (kind.accept != null) {
      connection.setRequestProperty("Accept", kind.accept);
    }
    if (kind.compressed) {
      connection.setRequestProperty("Accept-Encoding", "gzip");
    }
    long bytes = 0;
    try (InputStream in = connection.getInputStream()) {
      boolean gzip = "gzip".equals(connection.getContentEncoding());
      if (gzip != kind.compressed) {
        throw new IOException("asked for " + kind.title + ", got gzip: " + gzip);
      }
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (bytes == 0 && !gzip && buffer[0] != '#') {
          throw new IOException("no metrics: " + new String(buffer, 0, n, StandardCharsets.UTF_8));
        }
        bytes += n;
      }
    }
    return bytes;
  }

  static TextTable table(List<Measured> results) {
    TextTable table =
        new TextTable(
            "scrape: all of Weir's meters, with those of the kernel, the disks and the JVM",
            2,
            "answer",
            "timers",
            "indexes",
            "samples",
            "KB sent",
            "median ms",
            "p99 ms",
            "CPU ms");
    for (Measured result : results) {
      table.row(
          result.kind().title,
          result.histograms() ? "buckets" : "count, sum, max",
          String.valueOf(result.indexes()),
          String.valueOf(result.samples()),
          figure("%.0f", result.sentBytes() / 1e3),
          figure("%.2f", result.millis(0.5)),
          figure("%.2f", result.millis(0.99)),
          figure("%.2f", result.cpuNanos() / 1e6));
    }
    return table
        .note("ms: from the request to the last byte, over loopback, on a connection that is kept")
        .note("CPU is the whole process's, client and server, the JVM's compiler included")
        .note("an index: its budget, merges, reopens, directories; all merged once, and idle");
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
