package io.weir.corpus;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Decoding that replaces invalid UTF-8 by U+FFFD and reports its location. */
final class Utf8 {

  static final char REPLACEMENT = '\uFFFD';

  private static final int SCRATCH_CHARS = 1024;

  private Utf8() {}

  static String decode(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /**
   * The index of the first byte in {@code from..to} that is not UTF-8, or -1.
   *
   * @param decoded the same bytes decoded: only when it holds a replacement, which may also have
   *     been there from the start, is there anything to look for
   */
  static int firstInvalid(String decoded, byte[] bytes, int from, int to) {
    if (decoded.indexOf(REPLACEMENT) < 0) {
      return -1;
    }
    // Reports malformed input unless configured to replace it.
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
    CharBuffer scratch = CharBuffer.allocate(SCRATCH_CHARS);
    while (true) {
      CoderResult result = decoder.decode(in, scratch, true);
      if (result.isError()) {
        return in.position();
      }
      if (result.isUnderflow()) {
        return -1;
      }
      scratch.clear();
    }
  }

  /** How many bytes the byte order mark at {@code from} takes: 3 or none. */
  static int byteOrderMarkBytes(byte[] bytes, int from, int to) {
    boolean marked =
        to - from >= 3
            && bytes[from] == (byte) 0xEF
            && bytes[from + 1] == (byte) 0xBB
            && bytes[from + 2] == (byte) 0xBF;
    return marked ? 3 : 0;
  }

  /** Whether the byte order mark of UTF-16 is at the beginning. */
  static boolean isUtf16(byte[] head) {
    return head.length >= 2
        && (head[0] == (byte) 0xFF && head[1] == (byte) 0xFE
            || head[0] == (byte) 0xFE && head[1] == (byte) 0xFF);
  }
}
