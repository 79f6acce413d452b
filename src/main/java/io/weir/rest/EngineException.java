package io.weir.rest;

import java.io.IOException;

/** An engine that refused a request or did not do as asked, in one line. */
public final class EngineException extends IOException {

  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * A refusal.
   *
   * @param status of HTTP; 0 if there was none
   */
  public EngineException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Something that went wrong without a status of HTTP. */
  public EngineException(String message) {
    this(0, message);
  }

  /** Something that was noticed by another failure. */
  public EngineException(String message, IOException noticedBy) {
    this(message);
    initCause(noticedBy);
  }

  /** The status of HTTP; 0 if there was none. */
  public int status() {
    return status;
  }
}
