package io.weir.benchmark.grants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmark run small. */
@Slow("measures for a given time")
@Timeout(60)
class GrantsBenchmarkTest {

  @Test
  void run_smallGrid_hasEveryRowAndChargesWhatItGrants() throws Exception {
    GrantsBenchmark.Plan plan = new GrantsBenchmark.Plan(List.of(1, 4), 8, List.of(1, 10), 20, 20);
    List<GrantsCell.Result> results =
        new GrantsBenchmark()
            .measure(
                plan,
                new Conditions(
                    true, Path.of(""), new PrintStream(OutputStream.nullOutputStream())));

    List<List<String>> rows = GrantsBenchmark.table(results).rows();
    assertEquals(3 * 2 * 3, rows.size());
    assertEquals(List.of("none", "platform", "1", "1"), rows.get(0).subList(0, 4));
    assertEquals(List.of("100 MB/s", "virtual", "8", "10"), rows.get(17).subList(0, 4));
    for (GrantsCell.Result result : results) {
      Cap cap = result.cell().cap();
      long granted = result.totalGrants() * cap.claimBytes();
      assertEquals(granted, result.parent().grantedBytes(), () -> "" + result);
      assertEquals(granted, result.childrenBytes(), () -> "" + result);
      assertEquals(result.totalGrants(), result.parent().requests(), () -> "" + result);
      if (cap == Cap.CONTENDED) {
        double seconds = result.elapsedNanos() / 1e9 + 0.050;
        assertTrue(granted <= cap.rate().bytesPerSecond() * seconds, () -> "" + result);
      } else {
        assertEquals(0, result.parent().delayedRequests(), () -> "" + result);
      }
    }
  }

  @Test
  void idleChild_takesLessThanTwoKibibytes() {
    double bytes = IdleChildren.bytesEach(20_000);

    assertTrue(bytes > 50, bytes + " bytes: less than a child's own fields");
    assertTrue(bytes < 2048, bytes + " bytes");
  }
}
