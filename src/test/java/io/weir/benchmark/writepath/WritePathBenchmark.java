package io.weir.benchmark.writepath;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Nanoseconds for each kind of write, through each route to each sink. All of it is run in rounds,
 * each row in a JVM of its own each round, and a row is held against the raw one of the same round:
 * a machine that is busy for a while then spoils one round and not one row.
 */
public final class WritePathBenchmark implements Benchmark {

  @Override
  public String name() {
    return "write-path";
  }

  @Override
  public String summary() {
    return "JMH: ns a write through ours, Lucene's RateLimitedIndexOutput, and the raw output";
  }

  @Override
  public TextTable run(Conditions conditions) throws RunnerException {
    return table(measure(conditions.quick() ? Plan.QUICK : Plan.FULL, conditions));
  }

  /** The results of each round. */
  List<Collection<RunResult>> measure(Plan plan, Conditions conditions) throws RunnerException {
    TimeValue time = TimeValue.milliseconds(plan.iterationMillis());
    List<Collection<RunResult>> rounds = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      conditions.progress().println("write-path: round " + round + " of " + plan.rounds());
      rounds.add(
          new Runner(
                  new OptionsBuilder()
                      .include("^" + WritePath.class.getName().replace(".", "\\.") + "\\.")
                      .param("directory", conditions.directory().toAbsolutePath().toString())
                      .forks(plan.forks())
                      .warmupIterations(plan.warmups())
                      .warmupTime(time)
                      .measurementIterations(plan.iterations())
                      .measurementTime(time)
                      .shouldFailOnError(true)
                      .build(),
                  OutputFormatFactory.createFormatInstance(
                      conditions.progress(), VerboseMode.NORMAL))
              .run());
    }
    return rounds;
  }

  static TextTable table(List<Collection<RunResult>> rounds) {
    TextTable table =
        new TextTable(
            "write-path: one thread, one file after the other",
            3,
            "write",
            "sink",
            "route",
            "ns/write",
            "+-",
            "MB/s",
            "ratio to raw",
            "95 % interval");
    for (Write write : Write.values()) {
      for (Sink sink : Sink.values()) {
        double[] rawNanos = roundNanos(rounds, write, sink, Route.RAW);
        for (Route route : Route.values()) {
          double[] nanos = roundNanos(rounds, write, sink, route);
          double[] all = iterationNanos(rounds, write, sink, route);
          double median = PairedRatios.median(all);
          PairedRatios ratios = PairedRatios.of(nanos, rawNanos);
          double writes = (double) WritePath.OPERATION_BYTES / write.bytes;
          table.row(
              write.name(),
              sink.name().toLowerCase(Locale.ROOT),
              route.title(),
              figure("%.3f", median / writes),
              figure("%.3f", halfOfMiddle(all) / writes),
              figure("%.0f", WritePath.OPERATION_BYTES * 1e3 / median),
              figure("%.3f", ratios.median()),
              figure("%.3f", ratios.low()) + " to " + figure("%.3f", ratios.high()));
        }
      }
    }
    return table
        .note(
            "ns/write: median over 256 KiB at a time, then over iterations; +-: half of what the"
                + " middle half of the iterations spans")
        .note(
            "ratio: median over "
                + rounds.size()
                + " rounds, each against the raw output of that round; interval: bootstrap")
        .note("MB is 10^6 bytes")
        .note(
            "nothing: FSDirectory's output, buffer and checksum, then a stream that drops the bytes;"
                + " file: a file of 64 MiB at a time in the page cache")
        .note(
            "capped far above: 256 GiB/s, ours as 16 GiB/s by a clock that runs 16 times as fast");
  }

  /** What each round took: the median of its iterations. */
  private static double[] roundNanos(
      List<Collection<RunResult>> rounds, Write write, Sink sink, Route route) {
    return rounds.stream()
        .mapToDouble(
            round -> PairedRatios.median(iterationNanos(List.of(round), write, sink, route)))
        .toArray();
  }

  /** What each iteration took: the median of its operations. */
  private static double[] iterationNanos(
      List<Collection<RunResult>> rounds, Write write, Sink sink, Route route) {
    return rounds.stream()
        .flatMap(Collection::stream)
        .filter(
            result ->
                result.getParams().getBenchmark().endsWith("." + write.name())
                    && result.getParams().getParam("sink").equals(sink.name())
                    && result.getParams().getParam("route").equals(route.name()))
        .flatMap(result -> result.getBenchmarkResults().stream())
        .flatMap(fork -> fork.getIterationResults().stream())
        .mapToDouble(iteration -> iteration.getPrimaryResult().getStatistics().getPercentile(50))
        .toArray();
  }

  private static double halfOfMiddle(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return (sorted[sorted.length * 3 / 4] - sorted[sorted.length / 4]) / 2;
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  /** The kinds of write, by the names of their methods in {@link WritePath}. */
  enum Write {
    writeByte(1),
    writeInt(Integer.BYTES),
    writeBytesOf1KiB(1 << 10),
    writeBytesOf64KiB(1 << 16);

    private final int bytes;

    Write(int bytes) {
      this.bytes = bytes;
    }
  }

  /**
   * How long.
   *
   * @param forks JVMs for each row and round; 0 runs them all in this one
   */
  record Plan(int rounds, int forks, int warmups, int iterations, int iterationMillis) {
    static final Plan FULL = new Plan(5, 1, 2, 3, 200);
    static final Plan QUICK = new Plan(1, 0, 1, 2, 20);
  }
}
