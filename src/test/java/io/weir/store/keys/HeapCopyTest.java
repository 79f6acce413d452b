package io.weir.store.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.held.HeapIndexInput;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HeapCopyTest {

  private static final int BLOCK_BYTES = DictionaryCopy.HeapCopy.MIN_BLOCK_BYTES;
  private static final int COPIED_BYTES = 16 << 20;
  private static final String SMALL_HEAP = "-Xmx32m";

  @TempDir Path temp;

  @Test
  void copy_ofEveryLengthNearABlock_isTheSameBytes() throws IOException {
    for (int length :
        new int[] {0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES}) {
      byte[] bytes = new byte[length];
      new Random(length).nextBytes(bytes);
      IndexInput source = new HeapIndexInput("test", bytes, () -> {});
      DictionaryCopy.HeapCopy copy = new DictionaryCopy.HeapCopy(length, byte[]::new);
      while (copy.leftBytes() > 0) {
        assertTrue(copy.step(source));
      }
      byte[] copied = new byte[length];
      IndexInput input = copy.input("test");
      assertEquals(length, input.length());
      input.readBytes(copied, 0, length);
      assertArrayEquals(bytes, copied);
    }
  }

  @Test
  void blocks_ofLargeFiles_areFewPowersOfTwo() {
    assertEquals(1 << 18, DictionaryCopy.HeapCopy.blockBytes(0));
    assertEquals(1 << 18, DictionaryCopy.HeapCopy.blockBytes(16L << 20));
    assertEquals(1 << 19, DictionaryCopy.HeapCopy.blockBytes((16L << 20) + 1));
    assertEquals(1 << 24, DictionaryCopy.HeapCopy.blockBytes(1L << 30));
    assertEquals(1 << 30, DictionaryCopy.HeapCopy.blockBytes(Long.MAX_VALUE));
  }

  /** Half a copy once took the last heap of an application that needed it. */
  @Test
  @Timeout(60)
  @Slow("starts a JVM with a small heap")
  void incompleteCopy_whenTheApplicationNeedsTheHeap_isReclaimed() throws Exception {
    Path log = temp.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                SMALL_HEAP,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HalfCopied.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    assertEquals("", Files.readString(log));
  }

  /** Copies most of a file, then needs most of the heap, and then goes on to copy. */
  static final class HalfCopied {

    private HalfCopied() {}

    public static void main(String[] arguments) throws IOException {
      byte[][] blocks = new byte[COPIED_BYTES / BLOCK_BYTES][];
      Arrays.fill(blocks, new byte[BLOCK_BYTES]);
      IndexInput source = new HeapIndexInput("test", blocks, BLOCK_BYTES, COPIED_BYTES, () -> {});
      DictionaryCopy.HeapCopy copy = new DictionaryCopy.HeapCopy(source.length(), byte[]::new);
      while (copy.leftBytes() > BLOCK_BYTES) {
        copy.step(source);
      }
      List<byte[]> needed = new ArrayList<>();
      for (int bytes = 0; bytes < COPIED_BYTES; bytes += BLOCK_BYTES) {
        needed.add(new byte[BLOCK_BYTES]);
      }
      if (copy.step(source) && copy.input("test") != null) {
        throw new AssertionError("it was kept beside " + needed.size() + " blocks");
      }
    }
  }
}
