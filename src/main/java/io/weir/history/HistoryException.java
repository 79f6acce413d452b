package io.weir.history;

/** A run or a note that a history cannot take, in one line that a user understands. */
public final class HistoryException extends Exception {

  private static final long serialVersionUID = 1;

  HistoryException(String message) {
    super(message);
  }
}
