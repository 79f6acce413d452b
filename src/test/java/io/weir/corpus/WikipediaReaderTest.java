package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WikipediaReaderTest {

  private final ReadProblems problems = new ReadProblems();

  @Test
  void next_dump_givesArticlesAndCountsTheRest() throws IOException {
    List<CorpusDocument> documents = Corpora.read(resource("pages-articles.xml"), problems);
    assertEquals(
        List.of(
            new CorpusDocument(
                "Weir",
                "A '''weir''' & its [[river|Fluß]]: 1 < 2.\n<ref>no \"source\"</ref>",
                Instant.parse("2012-05-01T12:30:00Z").toEpochMilli()),
            new CorpusDocument(
                "Talk: the album",
                "The latest words.",
                Instant.parse("2013-01-01T00:00:00Z").toEpochMilli()),
            new CorpusDocument("Undated", "Some time.", CorpusDocument.UNDATED_EPOCH_MILLIS)),
        documents);
    assertEquals(1, problems.malformedCount());
    String problem = problems.first().get(0);
    assertTrue(
        problem.endsWith(
            "pages-articles.xml:65: page must have a title and a revision with a text"),
        problem);
    // A redirect, a talk page, a deleted text.
    assertEquals(3, problems.skippedCount());
    assertEquals(1, problems.undatedCount());
  }

  @Test
  void next_dumpThatGivesNoNamespaces_knowsThemByPrefix() throws IOException {
    List<CorpusDocument> documents = Corpora.read(resource("pages-articles-2011.xml"), problems);
    assertEquals(List.of("Dune: House"), Corpora.titles(documents));
    assertEquals("0 malformed, 2 skipped, 0 undated", problems.toString());
  }

  @Test
  void next_xmlCutShort_keepsThePagesBeforeAndNamesTheLine() throws IOException {
    String page = page("a", "text");
    assertEquals(
        List.of("a", "a"),
        Corpora.titles(read("<mediawiki>\n" + page + page + page.substring(0, 60))));
    assertEquals(1, problems.malformedCount());
    String problem = problems.first().get(0);
    assertTrue(problem.startsWith("dump:4: the file breaks here, what came before is"), problem);
    assertFalse(problem.contains("row,col"), problem);
  }

  @Test
  void next_xmlNotWellFormed_keepsThePagesBeforeAndNamesTheLine() throws IOException {
    String page = page("a", "text");
    assertEquals(
        List.of("a"),
        Corpora.titles(
            read("<mediawiki>\n" + page + page("b", "</wrong>") + page + "</mediawiki>")));
    assertEquals(1, problems.malformedCount());
    assertTrue(problems.first().get(0).startsWith("dump:3: the file breaks here"));
  }

  @Test
  void next_invalidUtf8_isReplacedAndNamedOnce() throws IOException {
    InputStream in =
        new ByteArrayInputStream(
            Corpora.concat(
                Corpora.utf8(
                    "<mediawiki>\n" + page("a", "fine") + "<page><title>b</title><ns>0</ns>"),
                Corpora.utf8("<revision><text>x"),
                new byte[] {(byte) 0xFF, (byte) 0xFE},
                Corpora.utf8("</text></revision></page>\n</mediawiki>")));
    List<CorpusDocument> documents = read(in, 1000);
    assertEquals("x\uFFFD\uFFFD", documents.get(1).body());
    assertEquals(List.of("dump:3: invalid UTF-8, replaced by U+FFFD"), problems.first());
  }

  @Test
  void next_textAboveTheLimit_isLeftOutAndNamed() throws IOException {
    InputStream in =
        new ByteArrayInputStream(
            Corpora.utf8(
                "<mediawiki>\n"
                    + page("a", "x".repeat(100_000))
                    + page("b", "x".repeat(100_001))
                    + page("c", "x")
                    + "</mediawiki>"));
    assertEquals(List.of("a", "c"), Corpora.titles(read(in, 100_000)));
    assertEquals(
        List.of("dump:3: text must be at most 100000 characters, left out"), problems.first());
  }

  /** Neither the file is read nor anything expanded, whatever becomes of the page. */
  @Test
  void next_externalAndNestedEntities_areNotFollowed(@TempDir Path directory) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "SECRET");
    for (String entity :
        List.of("SYSTEM \"" + secret.toUri() + "\"", "\"SECRETSECRET\"", "\"&e;&e;\"")) {
      String dump =
          "<!DOCTYPE mediawiki [<!ENTITY e "
              + entity
              + ">]>\n<mediawiki>"
              + page("a", "fine")
              + page("b", "[&e;]")
              + "</mediawiki>";
      List<CorpusDocument> documents = read(dump);
      assertEquals("a", documents.get(0).title());
      assertFalse(documents.toString().contains("SECRET"), documents::toString);
    }
  }

  @Test
  void next_externalDtd_isNotRead(@TempDir Path directory) throws IOException {
    Path dtd = Files.writeString(directory.resolve("dtd"), "<!ENTITY e 'SECRET'>");
    String dump =
        "<!DOCTYPE mediawiki SYSTEM \""
            + dtd.toUri()
            + "\"><mediawiki>"
            + page("a", "fine")
            + page("b", "&e;")
            + "</mediawiki>";
    assertFalse(read(dump).toString().contains("SECRET"));
  }

  /** By its own limits the JDK ends such a file after 100 KB (since 24) or 50 MB. */
  @Test
  void next_dumpFarAboveTheLimitsOfTheJdk_isReadToTheEnd() throws IOException {
    String text = "a &lt;b&gt; &amp; c. ".repeat(5_000);
    byte[] page = Corpora.utf8(page("Large", text));
    int pages = 550;
    assertTrue(page.length * (long) pages > 55_000_000);
    DocumentReader reader =
        new WikipediaReader(
            new SequenceInputStream(
                new SequenceInputStream(
                    new ByteArrayInputStream(Corpora.utf8("<mediawiki>\n")),
                    new SequenceInputStream(repeated(page, pages))),
                new ByteArrayInputStream(Corpora.utf8("</mediawiki>"))),
            "dump",
            problems,
            WikipediaReader.MAX_TEXT_CHARS);
    int read = 0;
    for (CorpusDocument document; (document = reader.next()) != null; read++) {
      assertEquals(5_000 * "a <b> & c. ".length(), document.body().length());
    }
    assertEquals(List.of(), problems.first());
    assertEquals(pages, read);
  }

  private static Enumeration<InputStream> repeated(byte[] content, int times) {
    return Collections.enumeration(
        IntStream.range(0, times)
            .<InputStream>mapToObj(i -> new ByteArrayInputStream(content))
            .toList());
  }

  private static String page(String title, String text) {
    return "<page><title>"
        + title
        + "</title><ns>0</ns><revision><timestamp>2012-05-01T00:00:00Z</timestamp><text>"
        + text
        + "</text></revision></page>\n";
  }

  private List<CorpusDocument> read(String dump) throws IOException {
    return read(new ByteArrayInputStream(Corpora.utf8(dump)), 1 << 20);
  }

  private List<CorpusDocument> read(InputStream in, int maxTextChars) throws IOException {
    return Corpora.read(new WikipediaReader(in, "dump", problems, maxTextChars));
  }

  private static DocumentSource resource(String name) {
    try {
      return DocumentSources.parse(
          Path.of(WikipediaReaderTest.class.getResource(name).toURI()).toString(), 1);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
