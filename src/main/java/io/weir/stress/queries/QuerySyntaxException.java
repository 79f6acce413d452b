package io.weir.stress.queries;

/** A line that is no query: where, and by what rule. */
final class QuerySyntaxException extends Exception {

  private static final long serialVersionUID = 1;
  private static final int MAX_VALUE = 40;

  private final int column;

  /**
   * @param column the first is 1, in characters
   * @param rule that the line breaks
   * @param value by which it does
   */
  QuerySyntaxException(int column, String rule, String value) {
    super(
        rule
            + ": "
            + (value.codePointCount(0, value.length()) <= MAX_VALUE
                ? value
                : value.substring(0, value.offsetByCodePoints(0, MAX_VALUE)) + "..."));
    this.column = column;
  }

  int column() {
    return column;
  }
}
