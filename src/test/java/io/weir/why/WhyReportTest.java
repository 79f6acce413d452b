package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.nrt.ReopenCause;
import io.weir.nrt.SlowReopen;
import io.weir.why.SickApplication.Illness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One observation in each form. */
class WhyReportTest {

  private static Observation seen() {
    return new Observation(
        Recorded.of(Illness.MERGE_WAIT).facts(),
        List.of(
            new SlowReopen.Stack(
                ReopenCause.MERGE_WAIT,
                List.of(new StackTraceElement("org.<b>.Lucene", "await", "A.java", 1)),
                7,
                3_000_000_000L)),
        new Observation.Series(
            List.of(1.0, 2.0, 3.0),
            List.of(10.0, 90.0, Double.NaN),
            List.of(0.0, 1.0, 1.0),
            List.of(5.0, 50.0, 20.0),
            List.of(100.0, 400.0, 700.0),
            List.of(Double.NaN, Double.NaN, Double.NaN)),
        Map.of("process", "4711"),
        List.of("Something <script>alert(1)</script> could not be seen."),
        List.of("it took \u001b[31m a while"));
  }

  @Test
  void text_beginsWithTheAnswer_andEndsWithTheCost() {
    String text = new WhyReport(seen()).text(false);

    assertTrue(text.startsWith("Refreshes wait "), text);
    List<String> order =
        List.of(
            "Refreshes wait",
            "WHAT HELPS",
            "setMaxFullFlushMergeWaitMillis(0)",
            "NOT SEEN",
            "COST");
    int at = 0;
    for (String part : order) {
      int next = text.indexOf(part, at);
      assertTrue(next >= at, part + "\n" + text);
      at = next;
    }
    assertFalse(text.contains("\u001b"), text);
  }

  @Test
  void html_isOnePageWithoutScript_andEscapesWhatItShows() throws IOException {
    String page = new WhyReport(seen()).html();

    assertTrue(page.indexOf("Refreshes wait") < page.indexOf("The evidence"), page);
    assertEquals(4, page.split("<svg class=\"chart", -1).length - 1);
    assertTrue(page.contains(">600</text>"), "a scale of dirty pages, which are many: " + page);
    assertTrue(page.contains("aria-label=\"Dirty pages: at most 700 MB"), page);
    assertFalse(page.contains("<script"), page);
    assertFalse(page.contains("<b>.Lucene"), page);
    assertTrue(page.contains("Content-Security-Policy"), page);
  }

  @Test
  void html_withoutSamples_hasNoPicture() throws IOException {
    String page = new WhyReport(Observation.of(Recorded.of(Illness.NOTHING).facts())).html();

    assertTrue(page.contains("Nothing is wrong"), page);
    assertFalse(page.contains("<svg class=\"chart"), page);
  }

  @Test
  void json_holdsWhatWasSeen_asItIsReadAgain(@TempDir Path temp) throws Exception {
    String text = new WhyReport(seen()).json();
    JsonNode json = new ObjectMapper().readTree(text);

    Files.writeString(temp.resolve(ObservationFile.NAME), text);
    Observation again = ObservationFile.read(temp);
    assertEquals(seen().facts(), again.facts());
    assertEquals(seen().series(), again.series());
    assertEquals(seen().about(), again.about());
    assertEquals(seen().unseen(), again.unseen());
    assertEquals(seen().cost(), again.cost());
    assertEquals(text, new WhyReport(again).json());
    assertEquals("cause", json.get("verdict").asText());
    assertEquals("merge-wait", json.get("rule").asText());
    assertTrue(json.get("series").get("ioPressurePercent").get(0).isNull());
    assertEquals("engine", json.get("advice").get(0).get("help").asText());
  }

  @Test
  void report_ofAnAnswerWithoutARule_hasNoAdvice() throws IOException {
    WhyReport report = new WhyReport(Recorded.of(Illness.NOTHING));

    assertFalse(report.text(false).contains("WHAT HELPS"));
    assertFalse(report.html().contains("What helps"));
    assertEquals(0, new ObjectMapper().readTree(report.json()).get("advice").size());
  }
}
