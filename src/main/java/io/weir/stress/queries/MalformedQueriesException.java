package io.weir.stress.queries;

import java.io.IOException;

/** A file of queries that is none: file, line, column, rule and value, in one line. */
public final class MalformedQueriesException extends IOException {

  private static final long serialVersionUID = 1;

  MalformedQueriesException(String file, long line, int column, String ruleAndValue) {
    super("%s:%d:%d: %s".formatted(file, line, column, ruleAndValue));
  }
}
