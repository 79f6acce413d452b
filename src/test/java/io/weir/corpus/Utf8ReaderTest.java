package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class Utf8ReaderTest {

  /** The JDK replaces as we do; it only does not tell. */
  @Property(tries = 200)
  void read_anyBytesInAnyPieces_givesWhatTheJdkDecodes(
      @ForAll long seed,
      @ForAll @IntRange(max = 300_000) int length,
      @ForAll @IntRange(min = 1, max = 200_000) int pieceBytes)
      throws IOException {
    byte[] bytes = bytes(seed, length);
    List<Long> told = new ArrayList<>();
    String decoded = read(bytes, pieceBytes, told);
    assertEquals(new String(bytes, StandardCharsets.UTF_8), decoded);
    int invalid = Utf8.firstInvalid(decoded, bytes, 0, bytes.length);
    if (invalid < 0) {
      assertEquals(List.of(), told);
    } else {
      long line = 1 + Utf8.decode(bytes, 0, invalid).chars().filter(c -> c == '\n').count();
      assertEquals(List.of(line), told);
    }
  }

  @Example
  void read_byteOrderMark_isTakenAwayAtTheStartOnly() throws IOException {
    assertEquals("a\uFEFFb", read(Corpora.utf8("\uFEFFa\uFEFFb"), 100, new ArrayList<>()));
    assertEquals("", read(Corpora.utf8("\uFEFF"), 1, new ArrayList<>()));
    assertEquals("", read(new byte[0], 1, new ArrayList<>()));
  }

  /** Text of characters of all lengths, with a wrong byte now and then. */
  private static byte[] bytes(long seed, int length) {
    Random random = new Random(seed);
    String characters = "ab\nß東\uD83C\uDF0A\uFFFD";
    StringBuilder text = new StringBuilder("a");
    while (text.length() < length) {
      int at = random.nextInt(characters.length());
      text.appendCodePoint(characters.codePointAt(at - (at == 6 ? 1 : 0)));
    }
    byte[] bytes = Corpora.utf8(text.toString());
    for (int wrong = random.nextInt(4); wrong > 0; wrong--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static String read(byte[] bytes, int pieceBytes, List<Long> told) throws IOException {
    InputStream in =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, pieceBytes));
          }
        };
    StringBuilder text = new StringBuilder();
    char[] piece = new char[7919];
    try (Utf8Reader reader = new Utf8Reader(in, told::add)) {
      for (int count; (count = reader.read(piece, 0, piece.length)) >= 0; ) {
        text.append(piece, 0, count);
      }
    }
    return text.toString();
  }
}
