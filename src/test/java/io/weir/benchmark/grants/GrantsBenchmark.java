package io.weir.benchmark.grants;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/** Grants a second, and processor time for each: threads, indexes, and with and without a cap. */
public final class GrantsBenchmark implements Benchmark {

  private static final int IDLE_CHILDREN = 100_000;

  @Override
  public String name() {
    return "grants";
  }

  @Override
  public String summary() {
    return "grants a second and their cost: threads x indexes, with and without a cap; memory";
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    return table(measure(conditions.quick() ? Plan.QUICK : Plan.FULL, conditions));
  }

  List<GrantsCell.Result> measure(Plan plan, Conditions conditions)
      throws InterruptedException, ExecutionException {
    for (Cap cap : Cap.values()) {
      new GrantsCell(cap, 4, false, 4, plan.warmupMillis()).run();
    }
    List<GrantsCell.Result> results = new ArrayList<>();
    for (Cap cap : Cap.values()) {
      for (int indexes : plan.indexes()) {
        conditions.progress().println("grants: cap " + cap.title() + ", " + indexes + " indexes");
        for (int threads : plan.threads()) {
          results.add(new GrantsCell(cap, threads, false, indexes, plan.millis()).run());
        }
        results.add(new GrantsCell(cap, plan.virtual(), true, indexes, plan.millis()).run());
      }
    }
    return results;
  }

  static TextTable table(List<GrantsCell.Result> results) {
    TextTable table =
        new TextTable(
            "grants: threads that claim from children of one parent, which has the cap",
            2,
            "cap",
            "kind",
            "threads",
            "indexes",
            "grants/s",
            "CPU ns/grant",
            "delayed",
            "min/max share");
    for (GrantsCell.Result result : results) {
      GrantsCell cell = result.cell();
      table.row(
          cell.cap().title(),
          cell.virtual() ? "virtual" : "platform",
          String.valueOf(cell.threads()),
          String.valueOf(cell.indexes()),
          figure("%.0f", result.grantsPerSecond()),
          figure("%.0f", result.cpuNanosPerGrant()),
          figure("%.1f %%", 100.0 * result.parent().delayedRequests() / result.totalGrants()),
          figure("%.3f", result.shares()));
    }
    return table
        .note(
            "an idle child takes "
                + figure("%.0f", IdleChildren.bytesEach(IDLE_CHILDREN))
                + " bytes of heap")
        .note(
            "claims of 64 bytes, under 100 MB/s of 1 KiB: there 97656 grants/s is all of the rate")
        .note("far above: 16 GiB/s; no thread waits, which delayed shows")
        .note("CPU is the whole process's; threads beyond the processors share them by turns")
        .note(
            "virtual threads that never wait never yield: without contention only as many run as"
                + " there are processors");
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  /**
   * Which cells, and for how long each.
   *
   * @param virtual how many virtual threads, in a row of their own
   */
  record Plan(
      List<Integer> threads, int virtual, List<Integer> indexes, int millis, int warmupMillis) {

    private static final List<Integer> THREADS = List.of(1, 4, 16, 64, 256);
    private static final List<Integer> INDEXES = List.of(1, 10, 100, 1000);

    static final Plan FULL = new Plan(THREADS, 256, INDEXES, 1000, 1000);
    static final Plan QUICK = new Plan(THREADS, 256, INDEXES, 50, 200);
  }
}
