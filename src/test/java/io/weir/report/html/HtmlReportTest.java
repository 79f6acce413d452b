package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.report.SampleRun;
import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import io.weir.run.SloResult;
import io.weir.run.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  private static final String HOSTILE = "<script>alert(1)</script>\"'&{{data}}";

  @TempDir Path directory;

  @Test
  void write_hostileNames_stayText() throws IOException {
    RunFiles files =
        new SampleRun()
            .arm(HOSTILE, 1, 0)
            .failedArm(HOSTILE, 2, HOSTILE, HOSTILE)
            .warning(HOSTILE, HOSTILE, HOSTILE)
            .write(directory);
    String page = page(files);
    assertFalse(page.contains("<script>alert"), "an arm's name became a script");
    assertTrue(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;{{data}}"));
    assertEquals(3, occurrences(page, "<script"), "the data, uPlot and the page's own");
    assertEquals(3, occurrences(page, "</script"));
  }

  @Test
  void write_anyRun_refersToNoOtherHostThanInTheLibrarysOwnBanner() throws IOException {
    String page = page(SampleRun.pair(directory));
    Matcher addresses = Pattern.compile("https?://[^\\s\"'<>]+").matcher(page);
    while (addresses.find()) {
      assertEquals("https://github.com/leeoniya/uPlot", addresses.group());
    }
    assertTrue(page.contains("default-src 'none'"));
    assertFalse(page.contains("<link"), "a page of one file links nothing");
    assertFalse(Pattern.compile("\\s(src|href)=").matcher(page).find());
  }

  @Test
  void write_anyRun_carriesFiguresMachineCommandAndLicenceAsPlainHtml() throws IOException {
    String page = page(SampleRun.pair(directory));
    for (String wanted :
        List.of(
            "<strong>cap=10MB/s</strong> reopen p99 during the merge 38.3 ms, merge 74.0 s",
            "<td>= written</td>",
            "<dt>memory</dt><dd>16.7 GB</dd>",
            "<dt>searches-per-second</dt><dd>100</dd>",
            "weir stress --arm &#39;uncapped: preset=stock&#39;",
            "threshold 3.3 GB, off the chart",
            "Copyright (c) 2022 Leon Sorokin")) {
      assertTrue(page.contains(wanted), "missing: " + wanted);
    }
  }

  @Test
  void write_armsThatCommit_haveATableForIt() throws IOException {
    String caption = "<caption>Commit latency, from the intended start</caption>";
    assertFalse(page(SampleRun.pair(directory)).contains(caption));
    String page = page(new SampleRun().commitsPerMinute(30).arm("a", 1, 10).write(directory));
    assertTrue(page.contains(caption), page);
    assertTrue(page.contains("<td>310.4</td>"), page);
  }

  @Test
  void write_rounds_haveATableOfDifferences() throws IOException {
    SampleRun run = new SampleRun();
    for (int round = 1; round <= 5; round++) {
      run.arm("a", round, 0).arm("b", round, 10);
    }
    String html = page(run.write(directory));
    assertTrue(
        html.contains("Difference from the first arm, round by round, with a 95 % interval"));
    assertTrue(html.contains("<td>no detectable difference</td>"));
    assertTrue(html.contains("<td>lower</td>"));
  }

  @Test
  void write_missedObjective_standsAboveTheFigures() throws IOException {
    String html =
        page(
            new SampleRun()
                .arm("weir", 1, 10)
                .slo(
                    new SloResult(
                        "reopen.p99 < 9ms",
                        "weir",
                        Optional.of(31.2),
                        9,
                        "ms",
                        false,
                        Optional.empty()))
                .write(directory));
    assertTrue(
        html.contains("<strong>Missed</strong> weir: reopen.p99 &lt; 9ms, measured 31.20 ms"),
        html);
    assertTrue(html.contains("<td>missed</td>"), html);
  }

  @Test
  void write_slowReopens_haveATableAndANoteEach() throws IOException {
    String caption = "<caption>Why reopens were slow during the merge: ";
    assertFalse(page(new SampleRun().arm("a", 1, 10).write(directory)).contains(caption));
    String page = page(new SampleRun().arm("a", 1, 0).write(directory));
    assertTrue(page.contains(caption), page);
    assertTrue(page.contains("<th scope=\"row\">unmapping files</th><td>50.0</td>"), page);
    JsonNode reopens = data(page).path("arms").path(0).path("panels").path("reopens");
    int notes = 0;
    for (int i = 0; i < reopens.path("x").size(); i++) {
      boolean slow = !reopens.path("series").path(1).path("values").path(i).isNull();
      assertEquals(slow, !reopens.path("notes").path(i).isNull(), "at " + i);
      notes += slow ? 1 : 0;
    }
    assertTrue(notes > 5, notes + " notes");
    assertTrue(page.contains("main causes of the slow ones: 1 "), page);
  }

  @Test
  void write_sourceNotMeasured_saysSoInsteadOfAnEmptyChart() throws IOException {
    String page = page(new SampleRun().withoutPressure().arm("a", 1, 0).write(directory));
    assertEquals(1, occurrences(page, "<p class=\"absent\">not measured</p>"));
    JsonNode panels = data(page).path("arms").path(0).path("panels");
    assertFalse(panels.has("pressure"));
    assertTrue(panels.has("memory"));
  }

  /** Its pictures were not there, and nothing said why. */
  @Test
  void write_runWithoutItsSeries_saysWhyPicturesAreMissing() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    assertFalse(page(files).contains("Missing files"));
    Files.delete(files.seriesCsv());
    assertTrue(
        page(files)
            .contains(
                "<strong>Missing files</strong> series.csv is not in the run directory, so pictures"),
        "the page says so");
  }

  @Test
  void write_anyRun_opensWithFailuresThenTheAnswerThenThePicture() throws IOException {
    String page =
        page(
            new SampleRun()
                .arm("a", 1, 0)
                .arm("weir", 1, 10)
                .failedArm("b", 1, "its JVM ended with exit code 1", "last words")
                .warning("the disk is busy", "another program", "stop it")
                .write(directory));
    List<Integer> order =
        Stream.of(
                "its JVM ended with exit code 1<",
                "<pre>last words</pre>",
                "times lower with weir than with a",
                "<strong>weir</strong> reopen p99",
                "<strong>Warnings</strong> 1 warning: the disk is busy",
                "<h2 id=\"glance\">Over time</h2>",
                "<h2 id=\"figures\">")
            .map(page::indexOf)
            .toList();
    assertEquals(order.stream().sorted().toList(), order, "in this order");
    assertTrue(order.getFirst() > 0, order.toString());
  }

  @Test
  void write_noise_isOneBoxThatUnfolds() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    ObjectNode run = (ObjectNode) new ObjectMapper().readTree(files.runJson().toFile());
    for (JsonNode arm : run.get("parts")) {
      ((ObjectNode) arm)
          .putArray("findings")
          .addObject()
          .put("what", "others wrote " + arm.get("name").asText().length() + " MB to files")
          .put("cause", "another program")
          .put("remedy", "stop it");
    }
    Files.writeString(files.runJson(), run.toString());
    String page = page(files);

    assertTrue(
        page.contains("<strong>Noise</strong> the machine was not quiet: 1 finding, in 2 of 2 arm"),
        page);
    assertEquals(1, occurrences(page, "<p>others wrote 8 to 10 MB to files, in every arm</p>"));
    assertEquals(1, occurrences(page, "<b>Likely cause:</b> another program"));
    assertEquals(1, occurrences(page, "<details class=\"alert warning\">"));
  }

  @Test
  void write_noCsvFiles_stillGivesTheFigures() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Files.delete(files.reopensCsv());
    Files.delete(files.seriesCsv());
    assertEquals(12, occurrences(page(files), "not measured</p>"));
  }

  @Test
  void deadlines_areATableIfAnArmHadOne() throws IOException {
    String caption = "<caption>Deadline of the merge; ";
    assertFalse(page(new SampleRun().arm("a", 1, 10).write(directory)).contains(caption));

    String page =
        page(
            new SampleRun()
                .more(
                    Values.builder()
                        .put(MergeFigures.DEADLINE, 80.0)
                        .put(MergeFigures.DEADLINE_SPARE, 6.0)
                        .put(MergeFigures.DEADLINE_PREDICTED, 52.8)
                        .put(MergeFigures.DEADLINE_ACTUAL, 49.35)
                        .put(MergeFigures.DEADLINE_OFF, 7.0)
                        .build())
                .arm("a", 1, 10)
                .write(directory));

    String table = page.substring(page.indexOf(caption)).split("</table>")[0];
    assertTrue(table.contains("<td>52.8</td>") && table.contains("<td>7.0</td>"), table);
  }

  @Test
  void write_collectorsPauses_haveAChartUnlessNoArmToldAny() throws IOException {
    String title = "<h4>Collector pauses</h4>";
    String caption = "<caption>Pauses of the garbage collector during the merge</caption>";
    String without = page(new SampleRun().arm("a", 1, 0).arm("b", 1, 10).write(directory));
    assertEquals(0, occurrences(without, title));
    assertFalse(without.contains(caption));

    RunFiles files =
        new SampleRun().arm("a", 1, 0).gcPauses().arm("b", 1, 0).arm("c", 1, 10).write(directory);
    String page = page(files);
    assertEquals(3, occurrences(page, title));
    assertTrue(page.contains(caption), page);
    assertEquals(1, occurrences(page, "not measured</p>"), "of the arm that did not tell");
    JsonNode arms = data(page).path("arms");
    assertFalse(arms.path(0).path("panels").has("pauses"));
    JsonNode pauses = arms.path(1).path("panels").path("pauses");
    assertEquals(0.1, pauses.path("x").path(0).asDouble());
    assertEquals(4, pauses.path("series").path(0).path("values").path(0).asDouble());
    assertEquals("GC Pause, 4.0 ms (G1New, G1 Evacuation Pause)", pauses.at("/notes/0").asText());
    assertEquals(
        "Pause Mark End, 0.02 ms (ZGC Minor, Allocation Rate)",
        arms.path(2).path("panels").at("/pauses/notes/0").asText());

    Files.delete(files.gcCsv());
    assertEquals(2, occurrences(page(files), "<p class=\"absent\">no pauses</p>"));
  }

  /** A run of before the heap that is committed was there. */
  @Test
  void write_oldRun_hasTheMemoryThatItKnows() throws IOException {
    RunFiles files = new SampleRun().arm("a", 1, 0).write(directory);
    String[] lines = Files.readString(files.seriesCsv()).split("\n");
    Files.write(
        files.seriesCsv(),
        Stream.of(lines).map(line -> line.substring(0, line.lastIndexOf(','))).toList());
    JsonNode series = data(page(files)).path("arms").path(0).path("panels").at("/memory/series");
    assertEquals("committed", series.path(1).path("id").asText());
    assertFalse(series.path(1).has("values"));
    assertTrue(series.path(0).has("values"));
    assertTrue(series.path(2).has("values"));
  }

  @Test
  void data_everyReopen_isInThePageWithItsLatency() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    JsonNode reopens = data(page(files)).path("arms").path(1).path("panels").path("reopens");
    double slowest = 0;
    for (JsonNode value : reopens.path("series").path(0).path("values")) {
      slowest = Math.max(slowest, value.asDouble());
    }
    double expected =
        files.read().parts().get(1).latency(ArmFigures.REOPEN, Phase.DURING).maxMillis();
    assertEquals(expected, slowest, 0.001);
    long lines =
        Files.readAllLines(files.reopensCsv()).stream()
            .filter(line -> line.startsWith("\"cap=10MB/s\""))
            .count();
    assertEquals(lines, reopens.path("x").size());
  }

  @Test
  void fill_textThatLooksLikeAPlace_isLeftAlone() {
    assertEquals(
        "a {{b}} $1 \\", PageTemplate.fill("a {{x}} {{y}}", Map.of("x", "{{b}}", "y", "$1 \\")));
  }

  private static String page(RunFiles files) throws IOException {
    new HtmlReport().write(files);
    return Files.readString(files.reportHtml());
  }

  private static JsonNode data(String page) throws IOException {
    String start = "id=\"data\">";
    int from = page.indexOf(start) + start.length();
    return new ObjectMapper().readTree(page.substring(from, page.indexOf("</script>", from)));
  }

  private static int occurrences(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }
}
