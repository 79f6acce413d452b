package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.report.chart.Axis;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Band;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Mark;
import io.weir.report.chart.Chart.Series;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {

  @TempDir Path temp;

  @Test
  void render_textsOfOthers_areEscaped() throws IOException {
    String page = page("<b>\"x\"</b>").render();

    assertFalse(page.contains("<b>\"x\""), "as HTML");
    assertTrue(page.contains("&lt;b&gt;"), "as text");
    assertTrue(page.contains("\\u003cb>"), "in the data of the script");
    assertTrue(page.contains("default-src 'none'"), "the policy");
    assertFalse(page.contains("{{"), "a place is not filled");
  }

  @Test
  void render_withoutCharts_hasNoScript() throws IOException {
    String page = new Page("A title", "").section("one", "One", "<p>x</p>\n").render();

    assertFalse(page.contains("<script"), page);
    assertFalse(page.contains("script-src"), page);
    assertTrue(page.contains("<title>Weir: a title</title>"), page);
    assertTrue(page.contains("<h2 id=\"one\">One</h2>\n<p>x</p>"), page);
  }

  @Test
  void fill_textThatLooksLikeAPlace_isLeftAlone() {
    assertEquals("a {{b}} $1 \\", Page.fill("a {{x}} {{y}}", Map.of("x", "{{b}}", "y", "$1 \\")));
  }

  /** Seconds on a slow disk, or shares: a chart of them was a line at 0. */
  @Test
  void render_smallValues_keepTheirDigits() throws IOException {
    List<Double> small = List.of(0.0000432119, 1_234_567_890.0);
    Page page = new Page("small", "");
    page.figure("", "h3", "small", chart("small", Axis.seconds(0, 1), small, small, List.of()));

    String text = page.render();

    assertTrue(text.contains("\"y\":[4.3212E-5,1234600000]"), "values");
    assertTrue(text.contains("\"xs\":[[0,1234567890]]"), "x");
  }

  @Test
  @Slow("starts a browser")
  void page_inABrowser_drawsEveryValueAndMark() throws Exception {
    Path file = Files.writeString(temp.resolve("page.html"), page("a note").render());
    Optional<Chromium> browser = Chromium.find(temp);
    assumeTrue(browser.isPresent(), "no chromium, chromium-browser or google-chrome on PATH");
    try (ChromiumTab tab = browser.get().tab()) {
      tab.size(1000, 900);
      tab.open(file, true);
      String dom = tab.dom();

      assertTrue(dom.contains("data-report=\"drawn\""), () -> dom.substring(0, 400));
      assertEquals(2, dom.split("data-points=\"3\"", -1).length - 1);
      assertTrue(dom.contains("data-marks=\"1\""), "marks");
      tab.eval("document.querySelectorAll('.plot')[1].focus(), 1");
      tab.key("ArrowRight");
      assertEquals(
          "2023-11-14 22:13: a note 1.00",
          tab.text("document.getElementById('moment').textContent"));
    }
  }

  private static Page page(String text) {
    List<Double> values = List.of(1.0, Double.NaN, 3.0, 2.0);
    Page page = new Page(text, "subtitle");
    Chart seconds = chart(text, Axis.seconds(0, 3), List.of(0.0, 1.0, 2.0, 3.0), values, List.of());
    Chart days =
        chart(
            text,
            Axis.days(1.7e9, 1.7005e9),
            List.of(1.7e9, 1.7001e9, 1.7002e9, 1.7003e9),
            values,
            List.of(new Mark(1.7005e9, text, "green", false, true)));
    return page.section(
        "charts",
        "Charts",
        Page.HINT.formatted("Hint.")
            + page.figure("", "h3", "seconds", seconds)
            + page.figure("", "h3", "days", days));
  }

  private static Chart chart(
      String text, Axis x, List<Double> xs, List<Double> values, List<Mark> marks) {
    return new Chart(
        "",
        text,
        "a chart",
        220,
        x,
        Axis.linear("", 0).around(List.of(3.0)),
        Optional.empty(),
        List.of(Series.of(text, text, "blue", Form.BOTH, xs, values)),
        List.of(Band.shaded(1, 2, "")),
        marks);
  }
}
