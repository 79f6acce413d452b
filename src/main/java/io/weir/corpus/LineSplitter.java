package io.weir.corpus;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a stream as slices of one buffer; a line ends with LF, CR LF or the stream.
 *
 * <p>A line longer than the limit is skipped without keeping it in memory.
 *
 * <p><b>Threads:</b> one at a time.
 *
 * <p><b>Ownership:</b> closes the stream. The buffer holds the line until the next call of {@link
 * #next}.
 */
final class LineSplitter implements Closeable {

  private static final int READ_BYTES = 1 << 18;

  private final InputStream in;
  private final int maxLineBytes;

  private byte[] buffer = new byte[2 * READ_BYTES];
  private int filled;
  private int lineStart;
  private int lineEnd;
  private int nextStart;
  private boolean tooLong;
  private long lineNumber;

  LineSplitter(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /**
   * Moves to the next line; false at the end. After a failed read the line number is that of the
   * truncated line.
   */
  boolean next() throws IOException {
    lineNumber++;
    lineStart = nextStart;
    tooLong = false;
    int searched = lineStart;
    while (true) {
      int newline = indexOfNewline(searched);
      if (newline >= 0) {
        nextStart = newline + 1;
        endLine(newline);
        return true;
      }
      if (filled - lineStart > maxLineBytes) {
        tooLong = true;
        lineStart = filled;
      }
      searched = makeRoom();
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        nextStart = filled;
        endLine(filled);
        return tooLong || lineEnd > lineStart;
      }
      filled += read;
    }
  }

  /** Counted from 1. */
  long lineNumber() {
    return lineNumber;
  }

  /** Whether the line is longer than the limit; its slice is then unusable. */
  boolean isTooLong() {
    return tooLong;
  }

  byte[] buffer() {
    return buffer;
  }

  int start() {
    return lineStart;
  }

  /** The index after the line's last byte, excluding the line end. */
  int end() {
    return lineEnd;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private void endLine(int end) {
    tooLong |= end - lineStart > maxLineBytes;
    lineEnd = end > lineStart && buffer[end - 1] == '\r' ? end - 1 : end;
  }

  private int indexOfNewline(int from) {
    for (int i = from; i < filled; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /**
   * Moves the line's beginning to the front if there is too little room behind it for a read.
   * Returns where to continue.
   */
  private int makeRoom() {
    int held = filled - lineStart;
    if (buffer.length > 8 * READ_BYTES && held < READ_BYTES) {
      // One long line must not pin its memory for the rest of the file.
      buffer = Arrays.copyOfRange(buffer, lineStart, lineStart + 2 * READ_BYTES);
    } else if (buffer.length - filled >= READ_BYTES) {
      return filled; // a stream that hands out little must not have the line moved each time
    } else if (buffer.length - held < READ_BYTES) {
      buffer = Arrays.copyOfRange(buffer, lineStart, lineStart + 2 * held + READ_BYTES);
    } else {
      System.arraycopy(buffer, lineStart, buffer, 0, held);
    }
    lineStart = 0;
    filled = held;
    return held;
  }
}
