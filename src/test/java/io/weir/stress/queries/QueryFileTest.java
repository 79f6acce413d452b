package io.weir.stress.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.queries.SearchQuery.Operator;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryFileTest {

  @TempDir Path temp;

  @Test
  void queries_ofWhatWasWritten_areTheSameInTheSameOrder() throws Exception {
    List<SearchQuery> queries =
        List.of(
            new SearchQuery(Operator.OR, List.of("b", "#a"), List.of()),
            SearchQuery.term("#a"),
            new SearchQuery(Operator.AND, List.of("b"), List.of("\u00e9")));
    Path path = temp.resolve("q.txt");
    Files.write(path, QueryFile.format(List.of("head", "and more"), queries));

    assertEquals("# head\n# and more\nb OR \\#a\n\\#a\nb AND NOT \u00e9\n", Files.readString(path));
    QueryFile file = QueryFile.read(path);
    assertEquals(queries, file.queries());
    assertEquals(3, file.count());
  }

  @Test
  void queries_commentsBlanksAndOtherLineEnds_arePassedOver() throws Exception {
    assertEquals(
        List.of(SearchQuery.term("a"), SearchQuery.term("b")),
        file("\r\n# a \u00a0 ( comment\r\na\r\n \t \n \t# another\nb").queries());
  }

  /** Editors of Windows write one, and it is invisible. */
  @Test
  void queries_byteOrderMark_isPassedOver() throws Exception {
    try (InputStream in = QueryFileTest.class.getResourceAsStream("queries-with-bom.txt")) {
      QueryFile file = new QueryFile("q.txt", in.readAllBytes());
      assertEquals(
          List.of(
              SearchQuery.term("merge"),
              new SearchQuery(Operator.AND, List.of("river", "disk"), List.of())),
          file.queries());
      assertEquals(List.of("merge", "river AND disk"), file.lines());
    }
    assertEquals(List.of(SearchQuery.term("a")), file("\uFEFF# comment\r\na").queries());
    assertEquals(List.of(SearchQuery.term("a")), file("\uFEFF\n\na").queries());
    assertEquals(
        "q.txt:1:3: a term must stand here; a backslash before an operator makes it a term: AND",
        refusal("\uFEFFa AND AND b".replace("a AND AND", "  AND")));
    assertEquals("q.txt:1:1: a file of queries must have at least 1 query: 0", refusal("\uFEFF"));
    // Anywhere else it is invisible.
    assertEquals(
        "q.txt:2:1: an invisible character must be written as \\uXXXX: \\uFEFF",
        refusal("\uFEFFa\n\uFEFFb"));
  }

  @Test
  void count_utf16_isNamed() {
    for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      assertEquals(
          "q.txt:1:1: a file of queries must be UTF-8: UTF-16",
          refusal("\uFEFFa\n".getBytes(charset)));
    }
  }

  /** As a service with a syntax of its own takes them. */
  @Test
  void lines_ofAnySyntax_areAsWritten() throws Exception {
    assertEquals(
        List.of("title:\"a b\"~2", "+x -y^2 (z OR w*)", "a"),
        file("# title:c\r\n title:\"a b\"~2 \r\n\n+x -y^2 (z OR w*)\na").lines());
    assertEquals(List.of(), file("# none\n").lines());
    assertThrows(MalformedQueriesException.class, () -> file("# none\n").requireSomeLines());
    byte[] latin = {'a', '\n', 'b', (byte) 0xe9};
    MalformedQueriesException refused =
        assertThrows(MalformedQueriesException.class, () -> new QueryFile("q.txt", latin).lines());
    assertEquals("q.txt:2:2: a line must be UTF-8: byte 0xe9", refused.getMessage());
  }

  @Test
  void queries_termsThatComeTwice_areHeldOnce() throws Exception {
    List<SearchQuery> queries = file("word\nother AND word\n").queries();

    assertSame(queries.get(0).terms().get(0), queries.get(1).terms().get(1));
  }

  @Test
  void requireSome_nothingButComments_isRefused() throws Exception {
    String message = "q.txt:1:1: a file of queries must have at least 1 query: 0";
    assertEquals(message, refusal(""));
    assertEquals(message, refusal("# nothing\n\n"));
    assertEquals(List.of(), file("# nothing\n").queries());
  }

  @Test
  void count_malformedLine_namesFileLineAndColumn() {
    assertEquals(
        "q.txt:3:7: a term must stand here; a backslash before an operator makes it a term: OR",
        refusal("# head\na\nb AND OR\n"));
  }

  @Test
  void count_noUtf8_saysWhichByte() {
    byte[] bytes = "a\n\u00e9 AND x".getBytes(StandardCharsets.UTF_8);
    bytes[bytes.length - 1] = (byte) 0xff;
    assertEquals("q.txt:2:7: a line must be UTF-8: byte 0xff", refusal(bytes));
    byte[] cut = "# caf\u00e9".getBytes(StandardCharsets.UTF_8);
    assertEquals(
        "q.txt:1:6: a line must be UTF-8: byte 0xc3", refusal(Arrays.copyOf(cut, cut.length - 1)));
  }

  @Test
  void count_aLineTooLong_isRefusedBeforeItIsLookedAt() throws Exception {
    assertEquals(1, file("a".repeat(QueryFile.MAX_LINE_BYTES) + "\r\n").count());
    assertEquals(
        "q.txt:2:1: a line must have at most 10000 bytes: 10001",
        refusal("a\n" + "\u00e9(".repeat(3333) + "\u00e9\n")); // bytes, not characters
  }

  @Test
  void count_aMillionLines_areAllowedAndNotOneMore() throws Exception {
    String most = "a\n".repeat(QueryFile.MAX_LINES);
    assertEquals(QueryFile.MAX_LINES, file(most).count());
    assertEquals(
        "q.txt:1000001:1: a file of queries must have at most 1000000 lines: more",
        refusal(most + "#"));
  }

  @Test
  void count_tooManyBytes_isRefused() {
    assertEquals(
        "q.txt:1:1: a file of queries must have at most 67108864 bytes: more",
        refusal(new byte[QueryFile.MAX_BYTES + 1]));
  }

  private static QueryFile file(String text) {
    return new QueryFile("q.txt", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String refusal(String text) {
    return refusal(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String refusal(byte[] bytes) {
    return assertThrows(
            MalformedQueriesException.class, () -> new QueryFile("q.txt", bytes).requireSome())
        .getMessage();
  }
}
