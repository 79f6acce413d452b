package io.weir.load.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.load.QuickStep;
import io.weir.load.client.ClientMain.RequestLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestLogTest {

  private static final long SECOND = 1_000_000_000L;

  @TempDir Path temp;

  /** So that other tools place the intervals. */
  @Test
  void add_twoSteps_haveTheirTimesInTheHistogramLog() throws Exception {
    Path histograms = temp.resolve("a.hlog");
    try (RequestLog log =
        new RequestLog(
            new ClientMain.Task("a", 1, List.of(), temp.resolve("a.csv.gz"), histograms),
            new AutoClock())) {
      log.add(asked(1), seen(2 * SECOND));
      log.add(asked(2), seen(15 * SECOND));
    }

    List<String> lines =
        Files.readAllLines(histograms).stream().filter(line -> line.startsWith("Tag=")).toList();
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.get(0).startsWith("Tag=1,2.000,10.000,"), lines.get(0));
    assertTrue(lines.get(1).startsWith("Tag=2,15.000,10.000,"), lines.get(1));
  }

  private static ClientMain.Step asked(int number) {
    return new ClientMain.Step(number, 1, Duration.ofSeconds(10), 1);
  }

  private static OpenLoopClient.Step seen(long startNanos) {
    long[] latencies = {5_000_000};
    return new OpenLoopClient.Step(
        QuickStep.of(1).build(),
        startNanos,
        new Requests(new long[] {3}),
        new boolean[1],
        latencies);
  }
}
