package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentSourceTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-1", "", "many", "1e6", "10 ", "2147483520", "99999999999999999999"})
  void parse_badCount_namesRuleAndValue(String count) {
    String message = refusal("synthetic:" + count);
    assertTrue(
        message.startsWith("COUNT in synthetic:COUNT must be from 1 to 2147483519 documents: "),
        message);
    assertTrue(message.contains(count), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no/such/file", "synthetik:5", "", "a\0b"})
  void parse_nothingThere_namesTheForms(String spec) {
    String message = refusal(spec);
    assertTrue(message.startsWith("documents must be synthetic[:COUNT], "), message);
    assertTrue(message.contains(spec), message);
  }

  @Test
  void parse_directoryWithoutText_isRefused() throws IOException {
    String rule = "documents must be a directory with at least one text file: " + directory;
    assertEquals(rule, refusal(directory.toString()));
    Files.write(directory.resolve("empty"), new byte[0]);
    Files.write(directory.resolve("binary"), new byte[] {'a', 0, 'b'});
    Files.write(directory.resolve("mark"), new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF});
    Files.createDirectory(directory.resolve(".git"));
    Files.writeString(directory.resolve(".git/config"), "text");
    Files.createSymbolicLink(directory.resolve("loop"), directory);
    assertEquals(rule, refusal(directory.toString()));
  }

  @Test
  void parse_fileThatHoldsNoDocuments_saysWhatItLacks() throws IOException {
    assertRefused("", "is empty");
    assertRefused(" \n\n ", "is empty");
    assertRefused("one TAB\tonly\nmore\tTABs\tbelow\n", "is neither XML with <mediawiki nor");
    assertRefused("<html><body>\t\t</body></html".replace("\t", ""), "is neither XML");
    assertRefused("\u0003\0\0\0title\tdate\tbody\n", "is not UTF-8 text (luceneutil's binary line");
    assertRefused("FIELDS_HEADER_INDICATOR###\ttitle\tdate\tpicture\n", "has a header that names");
    for (Compression compression : Compression.values()) {
      Path file =
          Files.write(
              directory.resolve("f"), Corpora.pack(compression, Corpora.utf8("no document")));
      assertTrue(refusal(file.toString()).contains("is neither XML"), compression::name);
    }
  }

  @Test
  void parse_fileThatBeginsWithABlankLine_givesAllDocuments() throws IOException {
    try (InputStream in = DocumentSourceTest.class.getResourceAsStream("blank-first-line.txt")) {
      Files.copy(in, directory.resolve("documents"));
    }
    ReadProblems problems = new ReadProblems();
    DocumentSource source = DocumentSources.parse(directory.resolve("documents").toString(), 1);
    assertEquals(60, Corpora.read(source, problems).size());
    assertEquals("0 malformed, 1 skipped, 0 undated", problems.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\uFEFF"})
  void parse_blankLinesBeforeAnyFormat_arePassedOver(String mark) throws IOException {
    String row = "title\t2026-11-01\tbody\n";
    String wikipedia = new String(Corpora.wikipedia(1), StandardCharsets.UTF_8);
    for (String blank : List.of("\n", "\r\n", "  \n", "\n \r\n\n")) {
      for (String text :
          List.of(
              row,
              "FIELDS_HEADER_INDICATOR###\tdoctitle\tdocdate\tbody\n" + row,
              wikipedia,
              "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + wikipedia)) {
        Path file = Files.writeString(directory.resolve("documents"), mark + blank + text);
        ReadProblems problems = new ReadProblems();
        assertEquals(
            1, Corpora.read(DocumentSources.parse(file.toString(), 1), problems).size(), text);
        assertEquals(0, problems.malformedCount(), problems::toString);
      }
    }
  }

  /** Lines are counted as an editor does. */
  @Test
  void parse_malformedAfterBlankLines_hasTheLineOfTheFile() throws IOException {
    Path file = directory.resolve("documents");
    ReadProblems problems = new ReadProblems();
    Files.writeString(file, "\n\na\tb\tc\nbad\n");
    Corpora.read(DocumentSources.parse(file.toString(), 1), problems);
    String dump = new String(Corpora.wikipedia(1), StandardCharsets.UTF_8);
    Files.writeString(file, "\n\n" + dump.replace("</mediawiki>", "</other>"));
    Corpora.read(DocumentSources.parse(file.toString(), 1), problems);
    assertTrue(problems.first().get(0).startsWith(file + ":4: "), problems::toString);
    assertTrue(problems.first().get(1).startsWith(file + ":5: "), problems.first()::toString);
  }

  @Test
  void parse_utf16_isRefusedByName() throws IOException {
    Path file = directory.resolve("documents");
    for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      for (String text : List.of("a\tb\tc\n", "\u6771\u4eac")) {
        Files.write(file, ("\uFEFF" + text).getBytes(charset));
        String message = refusal(file.toString());
        assertTrue(message.endsWith(file + " is UTF-16 text, not UTF-8"), message);
        // A tree skips it, as it skips what is no text.
        assertEquals(
            "documents must be a directory with at least one text file: " + directory,
            refusal(directory.toString()));
      }
    }
  }

  @Test
  void parse_archiveBrokenAtItsStart_isRefused() throws IOException {
    for (Compression compression : Compression.values()) {
      if (compression != Compression.NONE) {
        byte[] packed = Corpora.pack(compression, Corpora.lines(3));
        Path file =
            Files.write(directory.resolve("broken." + compression), Arrays.copyOf(packed, 16));
        String message = refusal(file.toString());
        assertTrue(message.startsWith("documents must be "), message);
        assertTrue(message.contains(file.toString()), message);
      }
    }
  }

  @Test
  void parse_device_isRefused() {
    assertEquals("documents must be a regular file: /dev/null", refusal("/dev/null"));
  }

  @Test
  void parse_anyRefusal_isOneLine() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "nothing");
    assertFalse(refusal(file.toString()).contains("\n"));
  }

  private void assertRefused(String content, String reason) throws IOException {
    Path file = Files.writeString(directory.resolve("documents"), content);
    String message = refusal(file.toString());
    assertTrue(message.startsWith("documents must be "), message);
    assertTrue(message.contains(file + " " + reason), message);
  }

  private static String refusal(String spec) {
    return assertThrows(IllegalArgumentException.class, () -> DocumentSources.parse(spec, 1))
        .getMessage();
  }
}
