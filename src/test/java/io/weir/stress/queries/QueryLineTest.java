package io.weir.stress.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.SearchQuery.Kind;
import io.weir.stress.queries.SearchQuery.Operator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QueryLineTest {

  /** What was written is read again, whatever characters terms have. */
  @Property
  void parse_ofWhatWasFormatted_isTheSameQuery(@ForAll("queries") SearchQuery query)
      throws QuerySyntaxException {
    String line = QueryLine.format(query);

    assertEquals(query, QueryLine.parse(line), line);
    assertEquals(query, QueryLine.parse("\t " + line.replace(" ", " \t ") + " "), line);
  }

  /** It stays one line, and no comment. */
  @Property
  void format_ofAnyQuery_isALineThatAPersonCanSee(@ForAll("queries") SearchQuery query) {
    String line = QueryLine.format(query);

    assertTrue(line.codePoints().noneMatch(c -> c != ' ' && Character.isWhitespace(c)), line);
    assertTrue(line.codePoints().noneMatch(Character::isISOControl), line);
    assertTrue(!line.startsWith("#"), line);
  }

  @Provide
  static Arbitrary<SearchQuery> queries() {
    Arbitrary<String> anything =
        Arbitraries.integers()
            .between(0, Character.MAX_CODE_POINT)
            .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
            .list()
            .ofMinSize(1)
            .ofMaxSize(6)
            .map(QueryLineTest::text);
    Arbitrary<String> meaningful =
        Arbitraries.strings()
            .withChars(QueryLine.SPECIAL + "#u0aANDORT \t\r\n\u3000\u200d\ufeff\u2028")
            .ofMinLength(1)
            .ofMaxLength(6);
    Arbitrary<String> operators =
        Arbitraries.of("AND", "OR", "NOT", "and", "\\AND", "TO", "#", "u");
    Arbitrary<String> terms = Arbitraries.oneOf(anything, meaningful, operators);
    Arbitrary<SearchQuery> all =
        Combinators.combine(
                terms.list().ofMinSize(1).ofMaxSize(4), terms.list().ofMinSize(0).ofMaxSize(2))
            .as((wanted, without) -> new SearchQuery(Operator.AND, wanted, without));
    Arbitrary<SearchQuery> any =
        terms
            .list()
            .ofMinSize(2)
            .ofMaxSize(4)
            .map(wanted -> new SearchQuery(Operator.OR, wanted, List.of()));
    Arbitrary<SearchQuery> vectors =
        Combinators.combine(Arbitraries.of(Kind.KNN, Kind.HYBRID), any)
            .as((kind, text) -> new SearchQuery(kind, text.operator(), text.terms(), List.of()));
    return Arbitraries.oneOf(all, any, vectors);
  }

  private static String text(List<Integer> codePoints) {
    StringBuilder text = new StringBuilder();
    codePoints.forEach(text::appendCodePoint);
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource
  void parse_goodLine_isItsQuery(String line, String canonical) throws QuerySyntaxException {
    assertEquals(canonical, QueryLine.format(QueryLine.parse(line)));
  }

  static Stream<Arguments> parse_goodLine_isItsQuery() {
    return Stream.of(
        Arguments.of("a", "a"),
        Arguments.of("a AND b AND c", "a AND b AND c"),
        Arguments.of("  a\tOR   b ", "a OR b"),
        Arguments.of("a AND NOT b", "a AND NOT b"),
        Arguments.of("NOT b AND a AND NOT c", "a AND NOT b AND NOT c"),
        Arguments.of("\\AND OR \\OR", "\\AND OR \\OR"),
        Arguments.of("an\\D", "anD"),
        Arguments.of("\\u0041ND AND x", "\\AND AND x"),
        Arguments.of("can't AND 3.14 AND a_b", "can't AND 3.14 AND a_b"),
        Arguments.of("a#b", "a\\#b"),
        Arguments.of("c\\+\\+", "c\\+\\+"),
        Arguments.of("two\\u0020words", "two\\u0020words"),
        Arguments.of("\\ud83d\\uDE00", "\ud83d\ude00"),
        Arguments.of(" knn:a", "knn: a"),
        Arguments.of("knn: a OR b", "knn: a OR b"),
        Arguments.of("hybrid:\ta AND NOT b", "hybrid: a AND NOT b"),
        Arguments.of("knn\\: AND a", "knn\\: AND a"));
  }

  @ParameterizedTest
  @MethodSource
  void parse_badLine_saysWhereAndWhy(String line, int column, String message) {
    QuerySyntaxException thrown =
        assertThrows(QuerySyntaxException.class, () -> QueryLine.parse(line));

    assertEquals(column + " " + message, thrown.column() + " " + thrown.getMessage());
  }

  static Stream<Arguments> parse_badLine_saysWhereAndWhy() {
    String between = "two terms must have AND, OR or AND NOT between them: ";
    String alone = "NOT must go with a term to find, as in a AND NOT b: NOT";
    String special =
        "a backslash must be before this character, there are no phrases, groups or wildcards: ";
    String hidden = "an invisible character must be written as \\uXXXX: ";
    String here = "a term must stand here; a backslash before an operator makes it a term: ";
    return Stream.of(
        Arguments.of("a XOR b", 3, between + "XOR"),
        Arguments.of("a b", 3, between + "b"),
        Arguments.of("a and b", 3, between + "and"),
        Arguments.of("a NOT b", 3, between + "NOT"),
        Arguments.of("a \\AND b", 3, between + "\\AND"),
        Arguments.of("a AND b OR c", 9, "a query must have one of AND and OR, not both: OR"),
        Arguments.of("NOT a", 1, alone),
        Arguments.of("NOT a AND NOT b", 1, alone),
        Arguments.of("a OR NOT b", 6, alone),
        Arguments.of("NOT", 4, "a term must come after NOT: end of line"),
        Arguments.of("a AND", 6, "a term must come after AND: end of line"),
        Arguments.of("AND a", 1, here + "AND"),
        Arguments.of("a AND OR b", 7, here + "OR"),
        Arguments.of("a AND NOT NOT b", 11, here + "NOT"),
        Arguments.of("\ud83d\ude00 AND (b", 7, special + "("), // characters, not their halves
        Arguments.of("a) AND b", 2, special + ")"),
        Arguments.of("\"a b", 1, special + "\""),
        Arguments.of("+a -b", 1, special + "+"),
        Arguments.of("wild*", 5, special + "*"),
        Arguments.of("title:a", 6, special + ":"),
        Arguments.of("knn:", 5, "a term must come after knn:: end of line"),
        Arguments.of("knn: a AND NOT b", 12, "a query of vectors alone must have no NOT: NOT"),
        Arguments.of("a AND knn: b", 10, special + ":"),
        Arguments.of("a\u00a0b", 2, hidden + "\\u00A0"),
        Arguments.of("\ufeffa", 1, hidden + "\\uFEFF"),
        Arguments.of("a\\ b", 3, hidden + "\\u0020"),
        Arguments.of("a\\", 2, "a character must come after a backslash: \\"),
        Arguments.of("a\\u12", 2, "4 hexadecimal digits must come after \\u: \\u12"),
        Arguments.of("\\u12g4", 1, "4 hexadecimal digits must come after \\u: \\u12g4"),
        Arguments.of(
            "a OR b\\ud83d", 6, "a term must be Unicode, half a surrogate pair is none: b\\ud83d"),
        Arguments.of("x AND ".repeat(64) + "x", 385, "a query must have at most 64 terms: 65"),
        Arguments.of("a " + "b".repeat(50), 3, between + "b".repeat(40) + "..."));
  }

  @Test
  void query_thatIsNone_isRefused() {
    assertRefused("a query must have at least 1 term", Operator.AND, List.of(), List.of("a"));
    assertRefused("OR must join at least 2 terms", Operator.OR, List.of("a"), List.of());
    assertRefused("OR must join at least 2 terms", Operator.OR, List.of("a", "b"), List.of("c"));
    assertRefused("a term must be at least 1 character", Operator.AND, List.of(""), List.of());
    assertRefused("a term must be ", Operator.AND, List.of("a"), List.of("\ude00"));
  }

  @Test
  void toLucene_eachKind_isWhatTheClassicSyntaxMeans() throws Exception {
    assertEquals("a", lucene("a"));
    assertEquals("+a +b", lucene("a AND b"));
    assertEquals("a b c", lucene("a OR b OR c"));
    assertEquals("+a -b", lucene("a AND NOT b"));
  }

  @Test
  void toLucene_ofVectors_asksForTheTenNearest() throws Exception {
    assertTrue(
        lucene("knn: a").matches("KnnFloatVectorQuery:vector\\[.*]\\[10]"), lucene("knn: a"));
    assertTrue(
        lucene("hybrid: a AND b").matches("\\(\\+a \\+b\\) KnnFloatVectorQuery.*"),
        lucene("hybrid: a AND b"));
  }

  private static String lucene(String line) throws Exception {
    DocumentVectors vectors =
        DocumentVectors.of(new Documents("synthetic:9", 1, 0).withVectors("8"));
    return QueryLine.parse(line).toLucene(vectors).toString("body");
  }

  private static void assertRefused(
      String message, Operator operator, List<String> terms, List<String> without) {
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class, () -> new SearchQuery(operator, terms, without));
    assertTrue(thrown.getMessage().startsWith(message), thrown.getMessage());
  }
}
