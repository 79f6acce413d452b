package io.weir.store.writeback;

import java.io.IOException;

/**
 * The kernel reports that it could not write a part of a file. It may report that only once, so the
 * code that catches this must not ignore it.
 */
public final class LostWriteException extends IOException {

  private static final long serialVersionUID = 1;

  LostWriteException(IOException report) {
    super(report.getMessage(), report);
  }
}
