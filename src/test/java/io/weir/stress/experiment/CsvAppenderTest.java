package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvAppenderTest {

  @TempDir Path temp;
  private Path run;

  @BeforeEach
  void place() {
    run = temp.resolve("run.csv");
  }

  @Test
  void append_severalArms_haveOneHeader() throws Exception {
    append("a,b\r\n1,2\r\n");
    append("a,b\r\n3,4\r\n5,6\r\n");

    assertEquals("a,b\r\n1,2\r\n3,4\r\n5,6\r\n", Files.readString(run));
  }

  @Test
  void append_lastLineWasCutOff_isDropped() throws Exception {
    append("a,b\r\n1,2\r\n3,");
    append("a,b\r\n5,6\r\n7");

    assertEquals("a,b\r\n1,2\r\n5,6\r\n", Files.readString(run));
  }

  @Test
  void append_missing_changesNothing() throws Exception {
    CsvAppender.append(temp.resolve("no.csv"), run);

    assertFalse(Files.exists(run));
  }

  /** The first arm was killed before its first line was out, and its run then had no header. */
  @Test
  void append_firstArmLeftNothing_headerComesFromTheNext() throws Exception {
    append("");
    append("a,b");
    append("a,b\r\n1,2\r\n");

    assertEquals("a,b\r\n1,2\r\n", Files.readString(run));
  }

  @Test
  void append_onlyAHeader_addsNoLines() throws Exception {
    append("a,b\r\n");
    append("a,b\r\n");

    assertEquals("a,b\r\n", Files.readString(run));
  }

  private void append(String text) throws Exception {
    CsvAppender.append(Files.writeString(temp.resolve("arm.csv"), text), run);
  }
}
