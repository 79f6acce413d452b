package io.weir.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * Decodes a UTF-8 stream for a parser that would fail at the first invalid byte. Each invalid
 * sequence becomes U+FFFD, and the line of the first one is reported. A byte order mark at the
 * start is removed.
 *
 * <p><b>Threads:</b> one at a time. <b>Ownership:</b> closes the stream.
 */
final class Utf8Reader extends Reader {

  private static final int BYTES = 1 << 17;
  private static final int CHARS = 1 << 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final InputStream in;
  private final LongConsumer onFirstInvalidLine;
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final ByteBuffer bytes = ByteBuffer.allocate(BYTES).flip();
  private final CharBuffer chars = CharBuffer.allocate(CHARS).flip();

  private boolean started;
  private boolean streamEnded;
  private boolean invalidTold;
  private long linesBefore;

  Utf8Reader(InputStream in, LongConsumer onFirstInvalidLine) {
    this.in = in;
    this.onFirstInvalidLine = onFirstInvalidLine;
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!chars.hasRemaining() && !fill()) {
      return -1;
    }
    int count = Math.min(length, chars.remaining());
    chars.get(target, offset, count);
    return count;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Decodes the next characters, at least one; false at the end. */
  private boolean fill() throws IOException {
    chars.clear();
    boolean full = false;
    while (!full) {
      // One character stays free for a replacement.
      chars.limit(CHARS - 1);
      CoderResult result = decoder.decode(bytes, chars, streamEnded);
      chars.limit(CHARS);
      if (result.isError()) {
        tellInvalid();
        bytes.position(bytes.position() + result.length());
        chars.put(Utf8.REPLACEMENT);
      } else if (result.isUnderflow() && chars.position() == 0 && !streamEnded) {
        readBytes();
        continue;
      }
      full = !result.isError() || chars.position() == CHARS;
    }
    chars.flip();
    countLines();
    if (!started) {
      started = true;
      if (chars.hasRemaining() && chars.get(0) == BYTE_ORDER_MARK) {
        chars.get();
        return chars.hasRemaining() || fill();
      }
    }
    return chars.hasRemaining();
  }

  private void readBytes() throws IOException {
    bytes.compact();
    int read = in.read(bytes.array(), bytes.position(), bytes.remaining());
    streamEnded = read < 0;
    bytes.position(bytes.position() + Math.max(0, read)).flip();
  }

  private void tellInvalid() {
    if (!invalidTold) {
      invalidTold = true;
      onFirstInvalidLine.accept(1 + linesBefore + newlines(chars.array(), chars.position()));
    }
  }

  private void countLines() {
    linesBefore += newlines(chars.array(), chars.limit());
  }

  private static long newlines(char[] chars, int to) {
    long count = 0;
    for (int i = 0; i < to; i++) {
      if (chars[i] == '\n') {
        count++;
      }
    }
    return count;
  }
}
