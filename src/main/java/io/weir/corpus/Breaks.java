package io.weir.corpus;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;

/** What to make of a failed read: input that is broken, or a reader that was told to stop. */
final class Breaks {

  private Breaks() {}

  /**
   * Throws {@code failure} on if the read failed because its thread was interrupted or its file
   * closed: that says nothing about the input, and taking it for the input's end would lose
   * documents silently.
   */
  static void rethrowIfStopped(Throwable failure) throws IOException {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClosedChannelException || cause instanceof InterruptedIOException) {
        throw (IOException) cause;
      }
    }
  }

  /** A failure in one line. */
  static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.strip().replaceAll("\\s+", " ");
  }
}
