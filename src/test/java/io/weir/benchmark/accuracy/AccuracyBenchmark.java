package io.weir.benchmark.accuracy;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/** How near each limiter comes to its rate, how smoothly, how fairly and at what price. */
public final class AccuracyBenchmark implements Benchmark {

  private static final long MEGABYTE = 1_000_000;

  @Override
  public String name() {
    return "accuracy";
  }

  @Override
  public String summary() {
    return "achieved over asked rate, worst 100 ms, shares and CPU: ours and five others";
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    return table(measure(conditions.quick() ? Plan.QUICK : Plan.FULL, conditions));
  }

  List<Cell.Result> measure(Plan plan, Conditions conditions)
      throws InterruptedException, ExecutionException {
    // Loads and compiles every limiter, so that the first row does not pay for it.
    for (Contender contender : Contender.values()) {
      new Cell(contender, 500 * MEGABYTE, 2, plan.warmupMillis(), plan.warmupMillis()).run();
    }
    List<Cell.Result> results = new ArrayList<>();
    for (long megabytes : plan.megabytesPerSecond()) {
      for (int threads : plan.threads()) {
        conditions.progress().println("accuracy: " + megabytes + " MB/s, " + threads + " threads");
        for (Contender contender : Contender.values()) {
          int millis = megabytes == 1 ? plan.slowestMillis() : plan.millis();
          results.add(new Cell(contender, megabytes * MEGABYTE, threads, millis / 4, millis).run());
        }
      }
    }
    return results;
  }

  static TextTable table(List<Cell.Result> results) {
    TextTable table =
        new TextTable(
            "accuracy: claims of 32 KiB under one shared limiter",
            1,
            "limiter",
            "MB/s",
            "threads",
            "achieved/asked",
            "worst 100 ms",
            "min/max share",
            "CPU ms/s",
            "grants/s");
    for (Cell.Result result : results) {
      Cell cell = result.cell();
      table.row(
          cell.contender().title(),
          String.valueOf(cell.bytesPerSecond() / MEGABYTE),
          String.valueOf(cell.threads()),
          figure("%.4f", result.achieved()),
          figure("%.3f", result.worstWindow()),
          figure("%.3f", result.shares()),
          figure("%.1f", result.cpuMillisPerSecond()),
          figure("%.0f", result.grants() / (result.elapsedNanos() / 1e9)));
    }
    return table
        .note("MB is 10^6 bytes; writers ask for 32 KiB after 32 KiB and do nothing else")
        .note(
            "worst 100 ms: most bytes of any 100 ms, tried at each ms, over rate * 100 ms + 50 ms of"
                + " rate; a grant counts when its thread comes back with it")
        .note("min/max share: least over most bytes of a thread; CPU: of the claiming threads")
        .note(
            "permits are bytes, but KiB for Bucket4j (at most one token a ns); burst 50 ms of rate"
                + " for Weir, Bucket4j (at least 32 KiB) and Resilience4j (its period); Guava's own"
                + " is 1 s")
        .note(
            "Lucene's limiters are asked as its RateLimitedIndexOutput asks them; there"
                + " MergeRateLimiter is one a merge, here all threads share one");
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  /**
   * Which cells, and for how long each.
   *
   * @param slowestMillis for 1 MB/s, where a piece is 33 ms of rate
   */
  record Plan(
      List<Long> megabytesPerSecond,
      List<Integer> threads,
      int millis,
      int slowestMillis,
      int warmupMillis) {

    private static final List<Long> RATES = List.of(1L, 10L, 100L, 500L, 1000L, 4000L);
    private static final List<Integer> THREADS = List.of(1, 4, 16);

    static final Plan FULL = new Plan(RATES, THREADS, 1500, 5_000, 500);
    static final Plan QUICK = new Plan(RATES, THREADS, 200, 200, 100);
  }
}
