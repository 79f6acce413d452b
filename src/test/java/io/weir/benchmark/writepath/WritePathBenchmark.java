package io.weir.benchmark.writepath;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Nanoseconds for each kind of write, through each route to each sink. */
public final class WritePathBenchmark implements Benchmark {

  /** The kinds of write by the name of their JMH method, with the bytes of one, in table order. */
  static final Map<String, Integer> WRITE_BYTES =
      new TreeMap<>(
          Map.of(
              "writeByte",
              1,
              "writeInt",
              Integer.BYTES,
              "writeBytesOf1KiB",
              1 << 10,
              "writeBytesOf64KiB",
              1 << 16));

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

  Collection<RunResult> measure(Plan plan, Conditions conditions) throws RunnerException {
    TimeValue time = TimeValue.milliseconds(plan.iterationMillis());
    return new Runner(
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
            OutputFormatFactory.createFormatInstance(conditions.progress(), VerboseMode.NORMAL))
        .run();
  }

  static TextTable table(Collection<RunResult> results) {
    TextTable table =
        new TextTable(
            "write-path: one thread, one file after the other",
            3,
            "write",
            "sink",
            "route",
            "ns/write",
            "error",
            "MB/s",
            "ratio to raw");
    for (Map.Entry<String, Integer> write : WRITE_BYTES.entrySet()) {
      for (Sink sink : Sink.values()) {
        double rawNanos = find(results, write.getKey(), sink, Route.RAW).getScore();
        for (Route route : Route.values()) {
          Result<?> result = find(results, write.getKey(), sink, route);
          double writes = (double) WritePath.OPERATION_BYTES / write.getValue();
          table.row(
              write.getKey(),
              sink.name().toLowerCase(Locale.ROOT),
              route.title(),
              figure("%.3f", result.getScore() / writes),
              figure("%.3f", result.getScoreError() / writes),
              figure("%.0f", WritePath.OPERATION_BYTES * 1e3 / result.getScore()),
              figure("%.3f", result.getScore() / rawNanos));
        }
      }
    }
    return table
        .note("error: half of JMH's 99.9 % interval of the mean; MB is 10^6 bytes")
        .note(
            "nothing: FSDirectory's output, buffer and checksum, then a stream that drops the bytes;"
                + " file: a file of 64 MiB at a time in the page cache")
        .note(
            "capped far above: 256 GiB/s, ours as 16 GiB/s by a clock that runs 16 times as fast");
  }

  private static Result<?> find(
      Collection<RunResult> results, String write, Sink sink, Route route) {
    return results.stream()
        .filter(
            result ->
                result.getParams().getBenchmark().endsWith("." + write)
                    && result.getParams().getParam("sink").equals(sink.name())
                    && result.getParams().getParam("route").equals(route.name()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("not run: " + write + sink + route))
        .getPrimaryResult();
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  /**
   * How long.
   *
   * @param forks JVMs for each row; 0 runs them all in this one
   */
  record Plan(int forks, int warmups, int iterations, int iterationMillis) {
    static final Plan FULL = new Plan(3, 2, 5, 400);
    static final Plan QUICK = new Plan(0, 1, 2, 20);
  }
}
