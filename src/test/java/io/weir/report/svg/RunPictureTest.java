package io.weir.report.svg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.stress.result.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Read back as XML: what is drawn, and that nothing leaves the picture. */
class RunPictureTest {

  @TempDir Path directory;

  @Test
  void write_twoArms_drawsEveryReopenAndTheMergeInBoth() throws Exception {
    RunFiles files = SampleRun.pair(directory);
    Document picture = picture(files);

    long reopens = Files.lines(files.reopensCsv()).count() - 1;
    int dots = 0;
    NodeList groups = picture.getElementsByTagName("g");
    for (int i = 0; i < groups.getLength(); i++) {
      Element group = (Element) groups.item(i);
      if (!group.getAttribute("fill").equals("#2f7d4f")) { // those are searches
        dots += group.getElementsByTagName("circle").getLength();
      }
    }
    assertEquals(reopens, dots);
    List<String> texts = texts(picture);
    assertTrue(texts.contains("uncapped"), texts.toString());
    assertTrue(texts.contains("cap=10MB/s"), texts.toString());
    assertTrue(texts.contains("forced merge, 74.0 s"), texts.toString());
    assertTrue(
        texts.stream().anyMatch(text -> text.startsWith("uncapped: reopen p99 during the merge ")));
    assertEquals(
        6, // and the paper
        elements(picture, "rect").stream()
            .filter(r -> r.getAttribute("fill").equals("#e5e2d6"))
            .count());
    assertInside(picture);
  }

  @Test
  void write_severalRoundsAndManyArms_drawsTheFirstRoundOfFour() throws Exception {
    SampleRun run = new SampleRun();
    for (int round = 1; round <= 2; round++) {
      for (String arm : List.of("a", "b", "c", "d", "e")) {
        run.arm(arm, round, 10);
      }
    }
    Document picture = picture(run.write(directory));
    List<String> texts = texts(picture);
    assertTrue(texts.contains("d"), texts.toString());
    assertFalse(texts.contains("e"), texts.toString());
    assertTrue(texts.contains("What readers felt while Lucene merged (round 1)"), texts.toString());
    assertTrue(texts.stream().anyMatch(text -> text.startsWith("e: reopen p99")), "is told");
    assertInside(picture);
  }

  @Test
  void write_hostileNames_stayText() throws Exception {
    String name = "<script>&\"'";
    assertTrue(texts(picture(new SampleRun().arm(name, 1, 10).write(directory))).contains(name));
  }

  @Test
  void write_armsThatFailedOrWithoutFiles_isAPictureAllTheSame() throws Exception {
    RunFiles files = new SampleRun().failedArm("gone", 1, "why").write(directory);
    Files.delete(files.seriesCsv());
    Files.delete(files.reopensCsv());
    List<String> texts = texts(picture(files));
    assertEquals(3, texts.stream().filter("not measured here"::equals).count(), texts.toString());
  }

  private static Document picture(RunFiles files) throws Exception {
    new RunPicture().write(files);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(files.reportSvg().toFile());
  }

  private static List<String> texts(Document picture) {
    return elements(picture, "text").stream().map(Element::getTextContent).toList();
  }

  private static List<Element> elements(Document picture, String tag) {
    NodeList nodes = picture.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static void assertInside(Document picture) throws IOException {
    double width = Double.parseDouble(picture.getDocumentElement().getAttribute("width"));
    double height = Double.parseDouble(picture.getDocumentElement().getAttribute("height"));
    for (Element circle : elements(picture, "circle")) {
      double x = Double.parseDouble(circle.getAttribute("cx"));
      double y = Double.parseDouble(circle.getAttribute("cy"));
      assertTrue(x > 0 && x < width && y > 0 && y < height, x + " " + y);
    }
    for (Element text : elements(picture, "text")) {
      double y = Double.parseDouble(text.getAttribute("y"));
      assertTrue(y > 0 && y < height, text.getTextContent() + " at " + y);
    }
  }
}
