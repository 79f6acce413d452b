package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WeirVersionTest {

  @Test
  void number_isTheBuilds() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));

    assertTrue(
        pom.contains(
            "<artifactId>weir</artifactId>\n  <version>" + WeirVersion.number() + "</version>"));
  }

  @Test
  void getVersion_isOneLineWithLuceneAndJava() {
    String[] lines = new WeirVersion().getVersion();

    assertEquals(1, lines.length);
    assertTrue(
        lines[0].matches("weir \\d+\\.\\d+\\.\\d+ \\(Lucene \\d+\\.\\d+\\.\\d+, Java .+\\)"),
        lines[0]);
  }
}
