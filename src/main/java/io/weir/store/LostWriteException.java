package io.weir.store;

import java.io.IOException;

/**
 * The kernel reports that it could not write a part of a file. It may report that only once, so who
 * catches this may be the only one who knows.
 */
final class LostWriteException extends IOException {

  private static final long serialVersionUID = 1;

  LostWriteException(IOException report) {
    super(report.getMessage(), report);
  }
}
