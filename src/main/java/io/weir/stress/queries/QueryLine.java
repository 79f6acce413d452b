package io.weir.stress.queries;

import io.weir.stress.queries.SearchQuery.Kind;
import io.weir.stress.queries.SearchQuery.Operator;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A query as text: {@code a}, {@code a AND b}, {@code a OR b}, {@code a AND NOT b}. It is a part of
 * the syntax of Lucene's classic query parser and means the same there, but for what an analyzer
 * makes of the terms: operators are upper case, each term but the first is after one, and AND and
 * OR are not mixed. So nothing is a query by mistake. Before it may stand {@code knn:} or {@code
 * hybrid:}, which is no part of that syntax.
 *
 * <p>In a term a backslash stands before each character that is one of {@value #SPECIAL}, and
 * before the first of a term that reads like an operator; {@code \}{@code uXXXX} is the character
 * of that number, and the only way to write one that cannot be seen.
 */
final class QueryLine {

  /** What means something in the classic syntax, or here. */
  static final String SPECIAL = "+-&|!(){}[]^\"~*?:/\\";

  private static final Set<String> OPERATORS = Set.of("AND", "OR", "NOT");
  private static final String NOT = "NOT";

  /** A term, or an operator; {@code raw} is how it was written. */
  private record Word(int column, String raw, String text, boolean isOperator) {

    boolean isNot() {
      return isOperator && text.equals(NOT);
    }
  }

  private final String line;
  private final List<Word> words = new ArrayList<>();
  private int index;
  private int column = 1;

  private QueryLine(String line) {
    this.line = line;
  }

  /** The line of {@code query}. */
  static String format(SearchQuery query) {
    StringBuilder text = new StringBuilder();
    for (String term : query.terms()) {
      text.append(text.isEmpty() ? "" : " " + query.operator() + " ").append(escaped(term));
    }
    text.insert(0, query.kind() == Kind.TEXT ? "" : query.kind().prefix() + " ");
    query.without().forEach(term -> text.append(" AND NOT ").append(escaped(term)));
    return text.toString();
  }

  /** The query of {@code line}, which is not blank. */
  static SearchQuery parse(String line) throws QuerySyntaxException {
    QueryLine parser = new QueryLine(line);
    Kind kind = parser.readKind();
    parser.readWords();
    return parser.query(kind);
  }

  private static String escaped(String term) {
    StringBuilder text = new StringBuilder(OPERATORS.contains(term) ? "\\" : "");
    for (int i = 0; i < term.length(); ) {
      int c = term.codePointAt(i);
      if (isHidden(c)) {
        text.append(numbered(c));
      } else {
        text.append(SPECIAL.indexOf(c) >= 0 || c == '#' ? "\\" : "").appendCodePoint(c);
      }
      i += Character.charCount(c);
    }
    return text.toString();
  }

  /** Whether it is invisible: a blank, a control or format character, half a surrogate pair. */
  private static boolean isHidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static String numbered(int c) {
    StringBuilder text = new StringBuilder();
    for (char half : Character.toChars(c)) {
      text.append("\\u").append(HexFormat.of().withUpperCase().toHexDigits(half));
    }
    return text.toString();
  }

  private Kind readKind() throws QuerySyntaxException {
    while (index < line.length() && isBlank()) {
      skip(1);
    }
    for (Kind kind : List.of(Kind.KNN, Kind.HYBRID)) {
      if (line.startsWith(kind.prefix(), index)) {
        skip(kind.prefix().length());
        if (line.substring(index).isBlank()) {
          throw new QuerySyntaxException(
              column, "a term must come after " + kind.prefix(), "end of line");
        }
        return kind;
      }
    }
    return Kind.TEXT;
  }

  private SearchQuery query(Kind kind) throws QuerySyntaxException {
    List<String> terms = new ArrayList<>();
    List<String> without = new ArrayList<>();
    Optional<Word> joiner = Optional.empty();
    Optional<Word> firstNot = Optional.empty();
    for (int i = 0; ; i++) {
      if (i < words.size() && words.get(i).isNot()) {
        Word not = words.get(i);
        firstNot = firstNot.or(() -> Optional.of(not));
        without.add(term(++i));
      } else {
        terms.add(term(i));
      }
      if (++i == words.size()) {
        break;
      }
      Word next = words.get(i);
      if (!next.isOperator() || next.isNot()) {
        throw new QuerySyntaxException(
            next.column(), "two terms must have AND, OR or AND NOT between them", next.raw());
      }
      if (joiner.isPresent() && !joiner.get().text().equals(next.text())) {
        throw new QuerySyntaxException(
            next.column(), "a query must have one of AND and OR, not both", next.text());
      }
      joiner = Optional.of(next);
    }
    boolean or = joiner.filter(word -> word.text().equals("OR")).isPresent();
    if (firstNot.isPresent() && (or || terms.isEmpty())) {
      throw new QuerySyntaxException(
          firstNot.get().column(), "NOT must go with a term to find, as in a AND NOT b", NOT);
    }
    if (kind == Kind.KNN && firstNot.isPresent()) {
      throw new QuerySyntaxException(
          firstNot.get().column(), "a query of vectors alone must have no NOT", NOT);
    }
    if (terms.size() + without.size() > SearchQuery.MAX_TERMS) {
      throw new QuerySyntaxException(
          words.get(words.size() - 1).column(),
          "a query must have at most " + SearchQuery.MAX_TERMS + " terms",
          Integer.toString(terms.size() + without.size()));
    }
    return new SearchQuery(kind, or ? Operator.OR : Operator.AND, terms, without);
  }

  private String term(int i) throws QuerySyntaxException {
    if (i >= words.size()) {
      throw new QuerySyntaxException(
          column, "a term must come after " + words.get(i - 1).text(), "end of line");
    }
    Word word = words.get(i);
    if (word.isOperator()) {
      throw new QuerySyntaxException(
          word.column(),
          "a term must stand here; a backslash before an operator makes it a term",
          word.text());
    }
    return word.text();
  }

  private void readWords() throws QuerySyntaxException {
    while (index < line.length()) {
      if (isBlank()) {
        skip(1);
      } else {
        words.add(word());
      }
    }
  }

  private boolean isBlank() {
    return line.charAt(index) == ' ' || line.charAt(index) == '\t';
  }

  private Word word() throws QuerySyntaxException {
    int start = index;
    int startColumn = column;
    StringBuilder text = new StringBuilder();
    while (index < line.length() && !isBlank()) {
      int c = line.codePointAt(index);
      if (c == '\\') {
        text.append(unescaped());
      } else if (SPECIAL.indexOf(c) >= 0) {
        throw new QuerySyntaxException(
            column,
            "a backslash must be before this character, there are no phrases, groups or wildcards",
            Character.toString(c));
      } else if (isHidden(c)) {
        throw new QuerySyntaxException(
            column, "an invisible character must be written as \\uXXXX", numbered(c));
      } else {
        text.appendCodePoint(c);
        skip(Character.charCount(c));
      }
    }
    if (!SearchQuery.isText(text.toString())) {
      throw new QuerySyntaxException(
          startColumn,
          "a term must be Unicode, half a surrogate pair is none",
          line.substring(start, index));
    }
    String raw = line.substring(start, index);
    return new Word(startColumn, raw, text.toString(), OPERATORS.contains(raw));
  }

  /** The character that the backslash here and those after it stand for. */
  private String unescaped() throws QuerySyntaxException {
    if (index + 1 == line.length()) {
      throw new QuerySyntaxException(column, "a character must come after a backslash", "\\");
    }
    int c = line.codePointAt(index + 1);
    if (c != 'u') {
      if (isHidden(c)) {
        throw new QuerySyntaxException(
            column + 1, "an invisible character must be written as \\uXXXX", numbered(c));
      }
      skip(1 + Character.charCount(c));
      return Character.toString(c);
    }
    String digits = line.substring(index + 2, Math.min(line.length(), index + 6));
    if (digits.length() < 4 || !digits.chars().allMatch(HexFormat::isHexDigit)) {
      throw new QuerySyntaxException(
          column, "4 hexadecimal digits must come after \\u", "\\u" + digits);
    }
    skip(6);
    return Character.toString((char) HexFormat.fromHexDigits(digits));
  }

  private void skip(int chars) {
    column += line.codePointCount(index, index + chars);
    index += chars;
  }
}
