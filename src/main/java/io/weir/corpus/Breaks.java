package io.weir.corpus;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;

/** Distinguishes broken input from a reader that was stopped. */
final class Breaks {

  private Breaks() {}

  /**
   * Rethrows {@code failure} if the read failed because its thread was interrupted or its file was
   * closed. That says nothing about the input; treating it as the input's end would silently lose
   * documents.
   */
  static void rethrowIfStopped(Throwable failure) throws IOException {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClosedChannelException || cause instanceof InterruptedIOException) {
        throw (IOException) cause;
      }
    }
  }

  /** The failure as one line of text. */
  static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.strip().replaceAll("\\s+", " ");
  }
}
