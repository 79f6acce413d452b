package io.weir.stress.engine;

import java.io.IOException;

/** An engine that refused a request or did not do as asked, in one line. */
final class EngineException extends IOException {

  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * A refusal.
   *
   * @param status of HTTP; 0 if there was none
   */
  EngineException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Something that went wrong without a status of HTTP. */
  EngineException(String message) {
    this(0, message);
  }

  /** Something that was noticed by another failure. */
  EngineException(String message, IOException noticedBy) {
    this(message);
    initCause(noticedBy);
  }

  /** The status of HTTP; 0 if there was none. */
  int status() {
    return status;
  }
}
