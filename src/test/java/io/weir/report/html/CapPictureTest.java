package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.report.SampleRun;
import io.weir.report.SweptRun;
import io.weir.report.model.CapCurves;
import io.weir.report.model.CapCurves.Curve;
import io.weir.report.model.CapCurves.Point;
import io.weir.report.svg.CapPicture;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.suite.Slow;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Which runs have the picture of caps, and what is in it. */
class CapPictureTest {

  @TempDir Path directory;

  @Test
  void curves_ofANormalRun_areNone() {
    Run pair = new SampleRun().arm("uncapped", 1, 0).arm("cap=10MB/s", 1, 10).result();
    assertEquals(Optional.empty(), CapCurves.of(pair));
    Run same = new SampleRun().arm("a", 1, 10).arm("b", 1, 10).result();
    assertEquals(Optional.empty(), CapCurves.of(same));
    assertEquals(Optional.empty(), CapCurves.of(new SampleRun().result()));
  }

  @Test
  void curves_ofSeveralCaps_areByKindFromTheHighestDown() {
    CapCurves caps = CapCurves.of(severalCaps()).orElseThrow();

    assertEquals(List.of("weir", "stock"), caps.curves().stream().map(Curve::kind).toList());
    List<Point> points = caps.curves().get(0).points();
    assertEquals(List.of("40MB/s", "20MB/s", "10MB/s"), points.stream().map(Point::cap).toList());
    Point slowest = points.get(2);
    assertEquals(74, slowest.mergeSeconds().median(), 0.01);
    assertEquals(2, slowest.rounds());
    assertTrue(slowest.reopenP99Millis().least() <= slowest.reopenP99Millis().median());
    assertEquals(
        List.of("no cap"), caps.curves().get(1).points().stream().map(Point::cap).toList());
  }

  @Test
  void curves_ofASweep_areThoseItSays() throws IOException {
    CapCurves caps = CapCurves.of(SweptRun.sample().result()).orElseThrow();

    assertEquals(List.of("ours", "theirs"), caps.curves().stream().map(Curve::kind).toList());
    assertEquals(List.of(100.0), caps.reopenBoundsMillis());
    assertEquals(List.of(), caps.mergeBoundsSeconds(), "a ratio is no bound of seconds");
  }

  @Test
  void write_sweep_drawsAPointALabelAndAWhiskerForEachCap() throws Exception {
    RunFiles files = SweptRun.sample().write(directory.resolve("run"));
    Document picture = picture(files);

    assertEquals(4 + 2, withClass(picture, "svg", "mark").size(), "and two in the legend");
    assertEquals(4, withClass(picture, "line", "whisker").size());
    assertEquals(2, withClass(picture, "path", "line").size(), "one through three points");
    assertEquals(1, withClass(picture, "line", "bound").size());
    assertEquals(
        List.of("40MB/s", "20MB/s", "10MB/s", "no cap"),
        withClass(picture, "text", "point").stream().map(Element::getTextContent).toList());
    for (Element text : withClass(picture, "text", "point")) {
      double x = Double.parseDouble(text.getAttribute("x").replace("%", ""));
      double y = Double.parseDouble(text.getAttribute("y"));
      assertTrue(x > 0 && x < 100 && y > 0 && y < 460, x + " " + y);
    }
  }

  @Test
  void write_normalRun_leavesNoPicture() throws IOException {
    RunFiles files = SampleRun.pair(directory.resolve("run"));
    new CapPicture().write(files);
    assertFalse(Files.exists(files.sweepSvg()));
    new HtmlReport().write(files);
    assertFalse(Files.readString(files.reportHtml()).contains("class=\"chart caps\""));
  }

  @Test
  void write_hostileNames_stayText() throws Exception {
    String name = "<script>&\"' 10MB/s";
    RunFiles files =
        new SampleRun().arm(name, 1, 10).arm("b", 1, 20).write(directory.resolve("run"));
    Document picture = picture(files);
    assertTrue(
        withClass(picture, "svg", "mark").stream()
            .anyMatch(mark -> mark.getTextContent().startsWith(name)));
  }

  /** Without a script: it is in the page before any has run, and drawn in the page's colours. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Slow("starts a browser")
  void report_openedInTheme_drawsEachKindInItsColour(boolean dark) throws Exception {
    Optional<Chromium> chromium = Chromium.find(directory);
    assumeTrue(chromium.isPresent(), "no chromium, chromium-browser or google-chrome on PATH");
    RunFiles files = SweptRun.sample().write(directory.resolve("run"));
    new HtmlReport().write(files);
    new CapPicture().write(files);

    int card = dark ? 0x191d22 : 0xffffff;
    int weir = dark ? 0x8e97ab : 0x7a8194;
    int stock = dark ? 0xf0895a : 0xb34718;
    int bad = dark ? 0xff8b80 : 0xb3261e;
    try (ChromiumTab tab = chromium.get().tab()) {
      tab.size(1280, 1600);
      tab.media("screen", dark, false);
      for (Path page : List.of(files.reportHtml(), files.sweepSvg())) {
        tab.open(page, page.equals(files.reportHtml()));
        BufferedImage picture = tab.picture();
        for (int colour : new int[] {card, weir, stock, bad}) {
          assertTrue(
              count(picture, colour) > 40,
              () -> "%s: %d pixels of %06x".formatted(page, count(picture, colour), colour));
        }
      }
    }
  }

  private static Run severalCaps() {
    SampleRun run = new SampleRun();
    for (int round = 1; round <= 2; round++) {
      run.arm("a", round, 20).arm("b", round, 40).arm("c", round, 10).arm("stock", round, 0);
    }
    return run.result();
  }

  private static Document picture(RunFiles files) throws Exception {
    new CapPicture().write(files);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(files.sweepSvg().toFile());
  }

  private static List<Element> withClass(Document picture, String tag, String name) {
    NodeList nodes = picture.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      Element element = (Element) nodes.item(i);
      if (Stream.of(element.getAttribute("class").split(" ")).anyMatch(name::equals)) {
        elements.add(element);
      }
    }
    return elements;
  }

  private static int count(BufferedImage picture, int colour) {
    int pixels = 0;
    for (int x = 0; x < picture.getWidth(); x++) {
      for (int y = 0; y < picture.getHeight(); y++) {
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
