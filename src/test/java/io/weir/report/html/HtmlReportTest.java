package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.report.SampleRun;
import io.weir.report.svg.ReportResource;
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
import java.util.Optional;
import java.util.Set;
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
            "<strong>cap=10MB/s</strong> reopen p90 during the merge 17.0 ms of 296 reopens, merge 74.0 s",
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
        html.contains(
            "Difference from the first arm, round by round, geometric means with a 95 % interval"));
    assertTrue(html.contains("<td>higher</td>"));
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
    JsonNode slow = series(chart(page, 0, "reopens"), "slow");
    assertTrue(slow.path("y").size() > 5, slow.toString());
    assertEquals(slow.path("y").size(), slow.path("notes").size());
    assertTrue(page.contains("main causes of the slow ones: 1 "), page);
  }

  @Test
  void write_sourceNotMeasured_saysSoInsteadOfAnEmptyChart() throws IOException {
    String page = page(new SampleRun().withoutPressure().arm("a", 1, 0).write(directory));
    assertEquals(1, occurrences(page, "<p class=\"absent\">not measured</p>"));
    assertTrue(chart(page, 0, "pressure").isMissingNode());
    assertFalse(chart(page, 0, "memory").isMissingNode());
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

  /** They were one paragraph. */
  @Test
  void write_warnings_areAListThatIsSeenAtOnce() throws IOException {
    String page =
        page(
            new SampleRun()
                .arm("a", 1, 0)
                .warning("the disk is busy", "another program", "stop it")
                .warning("samples were missed", "the machine stalled", "look at noise")
                .write(directory));
    int from = page.indexOf("<strong>Warnings</strong>");
    String box = page.substring(from, page.indexOf("</details>", from));

    assertTrue(page.contains("<details class=\"alert warning\" open>"), "it is unfolded");
    assertTrue(box.startsWith("<strong>Warnings</strong> 2 warnings</summary>"), box);
    assertEquals(2, occurrences(box, "<li><p>"), box);
  }

  /**
   * An arm was blue in one chart and purple dots, a green line and a blue area in others; purple
   * was reopens, an arm, a part of a reopen and a machine.
   */
  @Test
  void colours_ofArms_areTheirsAlone_andPurpleIsReopensOnly() throws IOException {
    String style = ReportResource.read("report.css");
    List<String> arms =
        Pattern.compile("--arm-\\d: var\\(--([a-z]+)\\)")
            .matcher(style)
            .results()
            .map(arm -> arm.group(1))
            .toList();

    assertEquals(8, Set.copyOf(arms).size(), arms.toString());
    for (String ofReopensSearchesAndDirtyPages : List.of("purple", "green", "blue")) {
      assertFalse(arms.contains(ofReopensSearchesAndDirtyPages), arms.toString());
    }
    assertFalse(style.contains("var(--purple)"), "of a part or an arm");
    String page = page(SampleRun.pair(directory));
    Matcher purple =
        Pattern.compile("\"id\":\"([^\"]*)\"[^{}]*?\"colour\":\"purple\"").matcher(page);
    assertTrue(purple.find());
    purple.reset().results().forEach(series -> assertEquals("latency", series.group(1)));
  }

  /** The mark of an arm stands beside its name, also where its own charts have other colours. */
  @Test
  void write_headingsOfArms_haveTheMarkOfTheArm() throws IOException {
    String page = page(SampleRun.pair(directory));

    assertTrue(
        Pattern.compile(
                "data-glance=\"[^\"]*\">\\s*<figcaption><h3><svg class=\"mark\"[^>]*--arm-1")
            .matcher(page)
            .find(),
        page.substring(page.indexOf("data-glance"), page.indexOf("data-glance") + 400));
    assertTrue(page.contains("<header><h3><svg class=\"mark\""));
  }

  /** A picture alone brings the colours of the page. */
  @Test
  void colours_ofAPictureAlone_areThoseOfThePage() throws IOException {
    String page = ReportResource.read("report.css");
    String[] picture = ReportResource.read("picture.css").split("@media");
    Matcher both = Pattern.compile("--([a-z-]+): light-dark\\((#\\w+), (#\\w+)\\)").matcher(page);
    while (both.find()) {
      if (picture[0].contains("--" + both.group(1) + ":")) {
        assertTrue(picture[0].contains("--%s: %s;".formatted(both.group(1), both.group(2))));
        assertTrue(picture[1].contains("--%s: %s;".formatted(both.group(1), both.group(3))));
      }
    }
    Matcher used = Pattern.compile("var\\(--([a-z-]+)\\)").matcher(picture[0]);
    while (used.find()) {
      assertTrue(picture[0].contains("--" + used.group(1) + ": #"), used.group(1));
    }
  }

  /** The first picture of the page had dots of two colours, and nothing said what they are. */
  @Test
  void write_firstPicture_saysWhatItsMarksAre() throws IOException {
    String page = page(SampleRun.pair(directory));
    int from = page.indexOf("data-glance=");
    String frame = page.substring(from, page.indexOf("</figcaption>", from));

    for (String mark : List.of("latency", "slow, by cause", "slowest", "dirty")) {
      assertTrue(frame.contains("</svg>" + mark + "</li>"), frame);
    }
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
                "<strong>weir</strong> reopen p90",
                "<strong>Warnings</strong> 1 warning<",
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
    assertEquals(1, occurrences(page, "<details class=\"alert warning\""));
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
    String title = "<h4>Collector pauses";
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
    assertTrue(chart(page, 0, "pauses").isMissingNode());
    JsonNode pauses = chart(page, 1, "pauses");
    assertEquals(0.1, pauses.at("/xs/0/0").asDouble());
    assertEquals(4, pauses.at("/series/0/y/0").asDouble());
    assertEquals(
        "GC Pause, 4.0 ms (G1New, G1 Evacuation Pause)", pauses.at("/series/0/notes/0/1").asText());
    assertEquals(
        "Pause Mark End, 0.02 ms (ZGC Minor, Allocation Rate)",
        chart(page, 2, "pauses").at("/series/0/notes/0/1").asText());

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
    JsonNode memory = chart(page(files), 0, "memory");
    assertTrue(series(memory, "committed").isMissingNode());
    assertTrue(series(memory, "resident").has("y"));
    assertTrue(series(memory, "used").has("y"));
  }

  @Test
  void data_everyReopen_isInThePageWithItsLatency() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    JsonNode reopens = series(chart(page(files), 1, "reopens"), "latency");
    double slowest = 0;
    for (JsonNode value : reopens.path("y")) {
      slowest = Math.max(slowest, value.asDouble());
    }
    double expected =
        files.read().parts().get(1).latency(ArmFigures.REOPEN, Phase.DURING).maxMillis();
    assertEquals(expected, slowest, 0.001);
    long lines =
        Files.readAllLines(files.reopensCsv()).stream()
            .filter(line -> line.startsWith("\"cap=10MB/s\""))
            .count();
    assertEquals(lines, reopens.path("y").size());
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

  /** The data of one chart of an arm; missing when it has none. */
  private static JsonNode chart(String page, int arm, String id) throws IOException {
    Matcher figure =
        Pattern.compile(
                "data-arm=\"%d\" data-panel=\"%s\" data-chart=\"(\\d+)\"".formatted(arm, id))
            .matcher(page);
    return figure.find()
        ? data(page).path("charts").path(Integer.parseInt(figure.group(1)))
        : MissingNode.getInstance();
  }

  private static JsonNode series(JsonNode chart, String id) {
    for (JsonNode series : chart.path("series")) {
      if (series.path("id").asText().equals(id)) {
        return series;
      }
    }
    return MissingNode.getInstance();
  }

  private static int occurrences(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }
}
