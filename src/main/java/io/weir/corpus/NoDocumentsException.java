package io.weir.corpus;

import java.io.IOException;

/** Documents were read to their end, and there was not a single one that could be used. */
public final class NoDocumentsException extends IOException {

  private static final long serialVersionUID = 1;

  NoDocumentsException(String message) {
    super(message);
  }
}
