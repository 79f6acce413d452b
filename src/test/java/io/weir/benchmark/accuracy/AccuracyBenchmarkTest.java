package io.weir.benchmark.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.fakes.SteppedClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmark run small, and its bounds where they can be told exactly. */
@Slow("measures for a given time")
@Timeout(60)
class AccuracyBenchmarkTest {

  private static final int BURST_MILLIS = 50;

  @Test
  void run_smallGrid_hasEveryRowAndOursStaysBelowItsBound() throws Exception {
    AccuracyBenchmark.Plan plan =
        new AccuracyBenchmark.Plan(List.of(10L, 1000L), List.of(1, 4), 60, 60, 10);
    List<Cell.Result> results =
        new AccuracyBenchmark()
            .measure(
                plan,
                new Conditions(
                    true, Path.of(""), new PrintStream(OutputStream.nullOutputStream())));

    List<List<String>> rows = AccuracyBenchmark.table(results).rows();
    List<String> labels = rows.stream().map(row -> String.join(" ", row.subList(0, 3))).toList();
    List<String> expected = new ArrayList<>();
    for (String where : List.of("10 1", "10 4", "1000 1", "1000 4")) {
      for (Contender contender : Contender.values()) {
        expected.add(contender.title() + " " + where);
      }
    }
    assertEquals(expected, labels);
    for (Cell.Result result : results) {
      Cell cell = result.cell();
      assertTrue(result.totalBytes() >= Cell.PIECE_BYTES, () -> "did not run: " + result);
      if (cell.contender() == Contender.WEIR || cell.contender() == Contender.WEIR_CHILDREN) {
        double bound = cell.bytesPerSecond() * (result.elapsedNanos() / 1e9 + BURST_MILLIS / 1e3);
        assertTrue(result.totalBytes() <= bound, () -> "more than its bound: " + result);
      }
    }
  }

  @Test
  void claim_ours_isChargedForWhatTheMeterSees() throws Exception {
    ByteBudget budget = ByteBudget.perSecond(1_000_000_000);
    GrantMeter meter = new GrantMeter(new SteppedClock(), 0, 1);
    Limiter.Claimant claimant = new WeirLimiter(budget, false).claimant();
    for (int bytes : new int[] {1, 100_000, Cell.PIECE_BYTES}) {
      claimant.claim(bytes, meter);
    }
    assertEquals(100_001 + Cell.PIECE_BYTES, meter.totalBytes());
    assertEquals(meter.totalBytes(), budget.snapshot().grantedBytes());
  }

  /**
   * Time stands still while threads claim and moves by a millisecond when all of them wait, so
   * every grant is stamped with the very time by which the budget gave it: no window of any length
   * may hold more than rate * window + burst.
   */
  @ParameterizedTest
  @CsvSource({"1000000,1", "1000000,4", "37000000,4", "1000000000,3"})
  void claim_oursByItsOwnClock_neverPassesRateTimesWindowPlusBurst(long rate, int threads)
      throws Exception {
    int steps = 150;
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(rate)), clock);
    AtomicBoolean stop = new AtomicBoolean();
    List<GrantMeter> meters = new ArrayList<>();
    List<FutureTask<Void>> tasks = new ArrayList<>();
    List<Thread> claimants = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      GrantMeter meter = new GrantMeter(clock, 0, steps);
      Limiter.Claimant claimant = new WeirLimiter(budget, false).claimant();
      FutureTask<Void> task =
          new FutureTask<>(
              () -> {
                while (!stop.get()) {
                  claimant.claim(Cell.PIECE_BYTES, meter);
                }
                return null;
              });
      meters.add(meter);
      tasks.add(task);
      claimants.add(Thread.ofPlatform().start(task));
    }
    for (int step = 0; step < steps; step++) {
      for (Thread claimant : claimants) {
        clock.awaitParked(claimant);
      }
      clock.advanceNanos(1_000_000);
    }
    stop.set(true);
    budget.setRate(Rate.UNLIMITED);
    for (FutureTask<Void> task : tasks) {
      task.get();
    }

    for (int window = 1; window <= steps; window++) {
      // From its first millisecond to its last one less time passes than it has milliseconds.
      long bound = rate * (window - 1) / 1000 + rate * BURST_MILLIS / 1000;
      assertTrue(
          GrantMeter.worstWindowBytes(meters, window) <= bound, "in " + window + " milliseconds");
    }
    long all = rate * (steps - 1) / 1000 + rate * BURST_MILLIS / 1000;
    assertTrue(
        GrantMeter.worstWindowBytes(meters, steps) > all - (long) threads * Cell.PIECE_BYTES,
        "what was due was given");
  }
}
