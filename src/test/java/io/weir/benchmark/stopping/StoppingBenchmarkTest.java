package io.weir.benchmark.stopping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Slow("measures for a given time")
class StoppingBenchmarkTest {

  @TempDir Path directory;

  @Test
  void measure_quick_everyStopOfOursReturnsAndEveryLineIsThere() throws Exception {
    Conditions conditions =
        new Conditions(true, directory, new PrintStream(OutputStream.nullOutputStream()));
    Map<StoppingBenchmark.Line, List<StopTrial>> trials =
        new StoppingBenchmark().measure(StoppingBenchmark.Plan.QUICK, conditions);
    assertEquals(8, StoppingBenchmark.table(trials).rows().size());
    trials.forEach(
        (line, list) -> {
          if (line.brake().isWeirs()) {
            assertTrue(list.stream().allMatch(StopTrial::inTime), line + ": " + list);
          }
        });
    // What Lucene does is why the time allowed is there: a paused merge never lets close return.
    assertTrue(
        trials.get(new StoppingBenchmark.Line(Brake.LUCENE_PAUSED, StopTrial.Stop.CLOSE)).stream()
            .noneMatch(StopTrial::inTime));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
  }
}
