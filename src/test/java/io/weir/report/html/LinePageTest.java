package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.report.chart.LineChart;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinePageTest {

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

  /** Seconds on a slow disk, or shares: a chart of them was a line at 0. */
  @Test
  void render_smallValues_keepTheirDigits() throws IOException {
    List<Double> small = List.of(0.0000432119, 1_234_567_890.0);

    String page = page("small", small, small).render();

    assertTrue(page.contains("\"values\":[4.32119E-5,1.23457E9]"), "values");
    assertTrue(page.contains("\"x\":[0.0,1.23456789E9]"), "x");
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
    }
  }

  private static LinePage page(String text, List<Double> x, List<Double> values) {
    return new LinePage(
        text,
        "",
        "",
        "",
        "",
        List.of(
            new LineChart(
                text,
                "",
                "",
                "",
                false,
                x,
                List.of(new LineChart.Series(text, "--blue", LineChart.Form.LINE, false, values)),
                List.of(),
                List.of())),
        "");
  }

  private static LinePage page(String text) {
    List<Double> values = List.of(1.0, Double.NaN, 3.0, 2.0);
    return new LinePage(
        text,
        "subtitle",
        "",
        "Charts",
        "Hint.",
        List.of(
            new LineChart(
                text,
                "a chart of seconds",
                "GB/h",
                "MB/s",
                false,
                List.of(0.0, 1.0, 2.0, 3.0),
                List.of(new LineChart.Series(text, "--blue", LineChart.Form.LINE, true, values)),
                List.of(new LineChart.Band(1, 2)),
                List.of()),
            new LineChart(
                "days",
                "a chart of days",
                "",
                "",
                true,
                List.of(1.7e9, 1.7001e9, 1.7002e9, 1.7003e9),
                List.of(new LineChart.Series("v", "--red", LineChart.Form.BOTH, false, values)),
                List.of(),
                List.of(new LineChart.Mark(1.7005e9, text, "--green", true)))),
        "");
  }
}
