package io.weir.corpus;

import java.io.IOException;

/** The documents were read to the end, and none of them was usable. */
public final class NoDocumentsException extends IOException {

  private static final long serialVersionUID = 1;

  NoDocumentsException(String message) {
    super(message);
  }
}
