package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.report.SampleRun;
import io.weir.report.chart.ArmCharts;
import io.weir.report.model.Timelines;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.suite.Slow;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opens the report in a real browser and looks at what it drew. */
@Slow("starts a browser")
class HtmlReportBrowserTest {
  private static final int HEIGHT_PIXELS = 6000;

  @TempDir static Path scratch;
  private static ChromiumTab tab;

  @TempDir Path directory;

  /** One chart as the page's script describes it after drawing. */
  private record Chart(Map<String, String> attributes) {
    String get(String name) {
      return attributes.getOrDefault(name, "");
    }

    String name() {
      return get("data-arm") + "/" + get("data-panel");
    }
  }

  @BeforeAll
  static void openBrowser() throws IOException, InterruptedException {
    Optional<Chromium> found = Chromium.find(scratch);
    assumeTrue(
        found.isPresent(),
        "no chromium, chromium-browser or google-chrome on PATH; Debian's package is: chromium");
    tab = found.get().tab();
  }

  @AfterAll
  static void closeBrowser() {
    if (tab != null) {
      tab.close();
    }
  }

  /** The document after its scripts ran. */
  private static String open(Path page, boolean dark, int width) {
    tab.size(width, HEIGHT_PIXELS);
    tab.media("screen", dark, false);
    tab.open(page, true);
    return tab.dom();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void report_openedInTheme_drawsEverySeriesOfEveryChartInItsColour(boolean dark)
      throws IOException, InterruptedException {
    Path page = report(SampleRun.pair(directory.resolve("run")));
    String dom = open(page, dark, 1280);
    assertEquals("drawn", attributes(dom, "<html[^>]*>").get("data-report"));
    BufferedImage picture = tab.picture();
    assertEquals(dark, (picture.getRGB(2, 2) & 0xff) < 0x80, "the page's ground");
    List<Chart> charts = charts(dom);
    assertEquals(14, charts.size());
    assertStandBelowEachOther(charts);
    for (Chart chart : charts) {
      assertEquals("true", chart.get("data-drawn"), chart.name());
      String[] colours = chart.get("data-colours").split(" ");
      assertEquals(chart.get("data-series").split(" ").length, colours.length);
      for (String colour : colours) {
        int pixels = count(picture, chart.get("data-plot"), Integer.decode(colour));
        assertTrue(
            pixels >= 8, () -> "%s: %d pixels of %s".formatted(chart.name(), pixels, colour));
      }
    }
  }

  @Test
  void report_opened_drawsAsManyPointsAsTheFilesHold() throws IOException, InterruptedException {
    RunFiles files = SampleRun.pair(directory.resolve("run"));
    String dom = open(report(files), false, 1280);
    Run run = files.read();
    Timelines timelines = Timelines.read(files);
    List<ArmCharts> expected = ArmCharts.all(run, timelines, HtmlReport.LIMITS);
    for (Chart chart : charts(dom)) {
      int index = Integer.parseInt(chart.get("data-arm"));
      Part arm = run.parts().get(index);
      int points = Integer.parseInt(chart.get("data-points"));
      int samples = timelines.samples(arm).size();
      switch (chart.get("data-panel")) {
        case "reopens" -> assertEquals(timelines.reopens(arm).size(), points);
        case "pauses" -> assertEquals(timelines.gcPauses(arm).size(), points);
        case "dirty" -> assertEquals(2 * samples, points, "dirty and writeback");
        default -> assertEquals(expectedPoints(expected.get(index), chart), points);
      }
    }
  }

  /** Which cause is told without a colour: by a number over each mark that has room for it. */
  @Test
  void report_slowReopens_haveTheirNumbersWritten() throws IOException, InterruptedException {
    String dom = open(report(SampleRun.pair(directory.resolve("run"))), false, 1280);
    Chart slow = charts(dom).get(0);
    assertEquals("latency slow failed", slow.get("data-series"));
    assertTrue(Integer.parseInt(slow.get("data-notes")) >= 5, slow.toString());
    Chart fast = charts(dom).stream().filter(c -> c.name().equals("1/reopens")).toList().get(0);
    assertEquals("latency", fast.get("data-series"));
    assertEquals("", fast.get("data-notes"));
  }

  @Test
  void report_hostileArmAndMissingSource_drawsTheRestWithoutAnError()
      throws IOException, InterruptedException {
    Path page =
        report(
            new SampleRun()
                .withoutPressure()
                .arm("<script>document.title='owned'</script>", 1, 10)
                .failedArm("<img src=x onerror=alert(1)>", 1, "its JVM ended")
                .write(directory.resolve("run")));
    String dom = open(page, false, 390);
    assertEquals("drawn", attributes(dom, "<html[^>]*>").get("data-report"));
    assertTrue(dom.contains("<title>Weir: what readers felt while Lucene merged</title>"));
    assertEquals(
        List.of("0/reopens", "0/searches", "0/dirty", "0/merge", "0/memory"),
        charts(dom).stream()
            .filter(chart -> chart.get("data-drawn").equals("true"))
            .map(Chart::name)
            .toList());
  }

  /** The layout has a row for each chart. */
  private static void assertStandBelowEachOther(List<Chart> charts) {
    int bottom = 0;
    String arm = "";
    for (Chart chart : charts) {
      int top = Integer.parseInt(chart.get("data-plot").split(" ")[1]);
      int above = chart.get("data-arm").equals(arm) ? bottom : 0;
      assertTrue(top > above, () -> chart.name() + " stands over the chart above it");
      bottom = top + Integer.parseInt(chart.get("data-plot").split(" ")[3]);
      arm = chart.get("data-arm");
    }
  }

  private static long expectedPoints(ArmCharts arm, Chart chart) {
    return arm.chart(chart.get("data-panel")).series().stream()
        .flatMap(series -> series.y().stream())
        .filter(value -> !value.isNaN())
        .count();
  }

  private static Path report(RunFiles files) throws IOException {
    new HtmlReport().write(files);
    return files.reportHtml();
  }

  private static List<Chart> charts(String dom) {
    List<Chart> charts = new ArrayList<>();
    Matcher figures = Pattern.compile("<figure[^>]*data-panel[^>]*>").matcher(dom);
    while (figures.find()) {
      charts.add(new Chart(attributes(figures.group(), ".*")));
    }
    return charts;
  }

  private static Map<String, String> attributes(String dom, String element) {
    Matcher found = Pattern.compile(element).matcher(dom);
    assertTrue(found.find(), () -> "no " + element);
    Map<String, String> attributes = new HashMap<>();
    Matcher pairs = Pattern.compile("([a-z-]+)=\"([^\"]*)\"").matcher(found.group());
    while (pairs.find()) {
      attributes.put(pairs.group(1), pairs.group(2));
    }
    return attributes;
  }

  /** Pixels of about {@code colour} within {@code box}, which is left, top, width and height. */
  private static int count(BufferedImage picture, String box, int colour) {
    String[] parts = box.split(" ");
    int left = Integer.parseInt(parts[0]);
    int top = Integer.parseInt(parts[1]);
    int pixels = 0;
    for (int x = left; x < left + Integer.parseInt(parts[2]); x++) {
      for (int y = top; y < top + Integer.parseInt(parts[3]); y++) {
        pixels += near(picture.getRGB(x, y), colour) ? 1 : 0;
      }
    }
    return pixels;
  }

  private static boolean near(int pixel, int colour) {
    int distance = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      distance += Math.abs((pixel >> shift & 0xff) - (colour >> shift & 0xff));
    }
    return distance <= 60;
  }
}
