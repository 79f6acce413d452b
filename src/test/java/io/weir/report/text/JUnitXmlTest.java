package io.weir.report.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.report.SampleRun;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.SloResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Read back by an XML parser, as a build server does. */
class JUnitXmlTest {

  @TempDir Path directory;

  @Test
  void write_metAndMissed_areTestCases() throws Exception {
    SloResult met =
        new SloResult(
            "reopen.p99 < 100ms", "weir", Optional.of(31.24), 100, "ms", true, Optional.empty());
    SloResult missed =
        new SloResult(
            "merge.seconds < 1.2x a&b \"<c>\"",
            "x<y",
            Optional.of(1.5),
            1.2,
            "x",
            false,
            Optional.empty());
    SloResult unknown =
        new SloResult(
            "dirty.peak < 1MB", "z", Optional.empty(), 1, "MB", false, Optional.of("no /proc"));
    RunFiles files = new SampleRun().slo(met).slo(missed).slo(unknown).write(directory);
    new JUnitXml().write(files, files.read());

    Document xml =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(files.sloXml().toFile());
    Element suite = xml.getDocumentElement();
    assertEquals("testsuite", suite.getTagName());
    assertEquals("3", suite.getAttribute("tests"));
    assertEquals("2", suite.getAttribute("failures"));
    assertEquals("205.000", suite.getAttribute("time"));
    assertEquals(3, suite.getElementsByTagName("testcase").getLength());
    assertCase(suite, 0, met, "");
    assertCase(suite, 1, missed, "merge.seconds < 1.2x a&b \"<c>\", measured 1.50 x");
    assertCase(suite, 2, unknown, "dirty.peak < 1MB, measured no /proc");
  }

  private static void assertCase(Element suite, int i, SloResult slo, String failure) {
    Element testCase = (Element) suite.getElementsByTagName("testcase").item(i);
    assertEquals("weir." + slo.arm(), testCase.getAttribute("classname"));
    assertEquals(slo.slo(), testCase.getAttribute("name"));
    Element failed = (Element) testCase.getElementsByTagName("failure").item(0);
    assertEquals(failure, failed == null ? "" : failed.getAttribute("message"));
  }

  @Test
  void write_noObjectives_writesNothing() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Run run = files.read();
    new JUnitXml().write(files, run);
    assertFalse(Files.exists(files.sloXml()));
  }
}
