package io.weir.report.svg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.run.RunFiles;
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
    long dots =
        elements(picture, "path").stream()
            .filter(path -> List.of("dot", "square").contains(path.getAttribute("class")))
            .mapToLong(path -> path.getAttribute("d").chars().filter(c -> c == 'M').count())
            .sum();
    long crosses =
        elements(picture, "svg").stream()
            .filter(mark -> mark.getAttribute("class").equals("mark"))
            .filter(mark -> mark.getAttribute("x").endsWith("%"))
            .count();
    assertEquals(reopens, dots + crosses);
    List<String> texts = texts(picture);
    assertTrue(texts.contains("uncapped"), texts.toString());
    assertTrue(texts.contains("cap=10MB/s"), texts.toString());
    assertTrue(texts.contains("forced merge, 74.0 s"), texts.toString());
    assertTrue(
        texts.stream().anyMatch(text -> text.startsWith("uncapped: reopen p90 during the merge ")));
    assertEquals(
        6,
        elements(picture, "rect").stream()
            .filter(rect -> rect.getAttribute("class").equals("band"))
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
    assertTrue(texts.stream().anyMatch(text -> text.startsWith("e: reopen p90")), "is told");
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
    assertEquals(3, texts.stream().filter("not measured"::equals).count(), texts.toString());
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

  private static void assertInside(Document picture) {
    double height = Double.parseDouble(picture.getDocumentElement().getAttribute("height"));
    for (Element path : elements(picture, "path")) {
      String box = ((Element) path.getParentNode()).getAttribute("viewBox");
      if (box.startsWith("0 0 ")) { // a curve, not the mark of a series
        String places = path.getAttribute("d").replaceAll("h0|V[0-9]+z?", "").substring(1);
        for (String point : places.split("[ML]")) {
          String[] place = point.split(" ");
          assertWithin(Double.parseDouble(place[0]), Double.parseDouble(box.split(" ")[2]), point);
          assertWithin(Double.parseDouble(place[1]), Double.parseDouble(box.split(" ")[3]), point);
        }
      }
    }
    for (Element text : elements(picture, "text")) {
      assertWithin(Double.parseDouble(text.getAttribute("y")), height, text.getTextContent());
    }
  }

  private static void assertWithin(double value, double most, String what) {
    assertTrue(value >= 0 && value <= most, what + " at " + value);
  }
}
