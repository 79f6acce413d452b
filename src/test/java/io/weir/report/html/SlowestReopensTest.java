package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.report.model.ReopenPart;
import io.weir.report.model.ReopenRow;
import io.weir.report.model.SlowestReopens;
import io.weir.report.model.SlowestReopens.Slow;
import io.weir.report.model.Timelines;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowestReopensTest {

  @TempDir Path directory;

  @Test
  void of_run_areTheSlowestDuringTheMergeOfAllRounds() throws IOException {
    RunFiles files = new SampleRun().arm("a", 1, 0).arm("b", 1, 10).arm("a", 2, 0).write(directory);
    Timelines timelines = Timelines.read(files);
    List<SlowestReopens> all = SlowestReopens.of(files.read(), timelines);
    assertEquals(List.of("a", "b"), all.stream().map(SlowestReopens::arm).toList());
    List<Long> expected =
        files.read().parts().stream()
            .filter(arm -> arm.name().equals("a"))
            .flatMap(arm -> timelines.reopens(arm).stream())
            .filter(row -> row.phase().equals(Phase.DURING.label()))
            .map(row -> row.latencyNanos().getAsLong())
            .sorted(java.util.Comparator.reverseOrder())
            .limit(10)
            .toList();
    assertEquals(expected, all.get(0).slowest().stream().map(Slow::latencyNanos).toList());
    assertTrue(all.get(0).slowest().stream().map(Slow::round).distinct().count() == 2);
  }

  @Test
  void parts_anyReopen_addUpToItsLatency() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    int phases = 0;
    for (ReopenRow row : Timelines.read(files).reopens(files.read().parts().get(0))) {
      Map<ReopenPart, Long> parts = row.parts();
      assertEquals(row.latencyNanos().getAsLong(), parts.values().stream().mapToLong(v -> v).sum());
      assertTrue(parts.values().stream().allMatch(nanos -> nanos > 0), parts.toString());
      phases = Math.max(phases, parts.size());
    }
    assertEquals(ReopenPart.values().length, phases);
  }

  @Test
  void parts_whatIsNotTold_isOther() {
    assertEquals(
        Map.of(ReopenPart.WAIT, 30L, ReopenPart.FLUSH, 50L, ReopenPart.OTHER, 20L),
        row(OptionalLong.of(130), Map.of(ReopenPart.FLUSH, 50L)).parts());
    assertEquals(
        Map.of(ReopenPart.OTHER, 100L),
        row(OptionalLong.of(100), Map.of()).parts(),
        "a run of before there were phases");
    assertEquals(
        Map.of(ReopenPart.WAIT, 100L),
        row(OptionalLong.empty(), Map.of()).parts(),
        "one that never began only waited");
    assertEquals(
        Map.of(ReopenPart.OTHER, 100L),
        row(OptionalLong.of(130), Map.of(ReopenPart.FLUSH, 71L)).parts(),
        "parts that are more than the whole are not believed");
  }

  @Test
  void html_bars_areAsLongAsTheirReopensAndHaveATable() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    List<SlowestReopens> arms = SlowestReopens.of(files.read(), Timelines.read(files));
    String html = page(files);
    String first =
        html.substring(html.indexOf("data-slowest=\"0\""), html.indexOf("data-slowest=\"1\""));
    double sum =
        Pattern.compile("<rect class=\"span\" x=\"[^\"]*\" y=\"[0-9.]+\" width=\"([0-9.]+)%")
            .matcher(first)
            .results()
            .skip(1) // the strip that compares arms
            .mapToDouble(found -> Double.parseDouble(found.group(1)))
            .sum();
    double longest = arms.get(0).slowest().get(0).latencyNanos();
    assertEquals(arms.get(0).totalNanos() / longest / 1.02 * 100, sum, 0.5);
    assertEquals(11, first.split("<tr", -1).length - 1, "a head and ten rows");
    assertTrue(first.contains("role=\"img\" aria-label=\"uncapped: The slowest 10 of "), first);
    assertFalse(first.contains("style="), "the page's policy would drop it");
  }

  @Test
  void html_runWithoutPhases_showsWaitAndOther() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Files.writeString(
        files.reopensCsv(),
        """
        arm,round,phase,intended_nanos,started_nanos,visible_nanos,finished_nanos,result
        uncapped,1,during,5000000,6000000,9000000,9000000,changed
        """);
    String html = page(files);
    assertTrue(
        html.contains("The slowest 1 of 1 reopen took 4.0 ms: other 75 %, waiting to start 25 %"),
        html);
  }

  private static String page(RunFiles files) throws IOException {
    new HtmlReport().write(files);
    return Files.readString(files.reportHtml());
  }

  /** Due at 100, and over at 200. */
  private static ReopenRow row(OptionalLong started, Map<ReopenPart, Long> told) {
    return new ReopenRow("during", 100, OptionalLong.of(200), false, started, told);
  }
}
