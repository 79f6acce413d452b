package io.weir.report.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.load.result.LoadArm;
import io.weir.load.result.LoadRun;
import io.weir.load.result.Saturation;
import io.weir.report.html.Html;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunNoise;
import io.weir.stress.result.RunWarning;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadTextTest {

  private static LoadArm round(int number) {
    return new LoadArm(
        "stock",
        number,
        ArmStatus.DONE,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Saturation.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        List.of(new RunWarning("the client stood still in %d steps".formatted(number), "c", "r")));
  }

  private static LoadRun run(int rounds) {
    return new LoadRun(
        LoadRun.SCHEMA_VERSION,
        "1",
        "2",
        List.of("load"),
        Instant.EPOCH,
        Instant.EPOCH,
        false,
        RunJson.tree(Map.of()),
        Map.of(),
        Optional.empty(),
        1000,
        IntStream.rangeClosed(1, rounds).mapToObj(LoadTextTest::round).toList(),
        List.of(),
        new RunNoise(
            LatencySummary.EMPTY,
            new HostNoise(1, Optional.empty(), Optional.empty(), Optional.empty()),
            List.of()));
  }

  @Test
  void warnings_thatDifferInNumbersOnly_areSaidOnce() {
    String text = new LoadText(false).render(run(3));

    assertEquals(2, text.split("WARNING").length, text);
    assertTrue(text.contains("the client stood still in 1 to 3 steps, in every round"), text);
    String page = Html.notes(LoadRemarks.of(run(3)));
    assertEquals(2, page.split("<details").length, page);
    assertEquals(2, page.split("<li>").length, page);
  }
}
