package io.weir.why;

/** A process cannot be looked at; the message is for the user, and names what would allow it. */
public final class WhyException extends Exception {

  private static final long serialVersionUID = 1;

  WhyException(String message) {
    super(message);
  }

  WhyException(String message, Throwable cause) {
    super(message, cause);
  }
}
