package io.weir.store.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.store.KernelPageCache;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page tables of this JVM, of a file that is all in the page cache. */
class TouchedPagesTest {

  private static final int MIB = 1 << 20;

  /** The kernel maps as much around a page that is touched, unless it keeps larger pages. */
  private static final int AROUND_BYTES = MIB / 2;

  @TempDir Path temp;

  private Path file;

  @BeforeEach
  void write() throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty(), () -> KernelPageCache.unavailable().toString());
    TouchedPages.open();
    file = Files.write(temp.resolve("a file"), new byte[4 * MIB]);
  }

  private static MappedByteBuffer map(Path path, long offset, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(path)) {
      return channel.map(MapMode.READ_ONLY, offset, bytes);
    }
  }

  private static Optional<CachedPages> look(Path path, long offset, long bytes) throws IOException {
    return TouchedPages.now(ForeignLinuxCalls.get().pageBytes()).look(path, offset, bytes);
  }

  @Test
  void look_findsWhatWasTouched_andNotWhatIsOnlyCached() throws IOException {
    MappedByteBuffer mapped = map(file, 0, 4 * MIB);
    assertEquals(0, look(file, 0, 4 * MIB).orElseThrow().bytes());

    assertEquals(0, mapped.get(MIB) + mapped.get(3 * MIB));

    CachedPages touched = look(file, 0, 4 * MIB).orElseThrow();
    assertTrue(touched.bytes(MIB, MIB + 1) == 1 && touched.bytes(3 * MIB, 3 * MIB + 1) == 1);
    assertEquals(0, touched.bytes(0, MIB - AROUND_BYTES));
    assertEquals(0, touched.bytes(MIB + AROUND_BYTES, 3 * MIB - AROUND_BYTES));
    assertTrue(touched.bytes() <= 4 * AROUND_BYTES, () -> touched.bytes() + " bytes");
  }

  /** As of a file inside a compound file. */
  @Test
  void look_atAPart_countsFromTheBeginningOfTheFile() throws IOException {
    MappedByteBuffer mapped = map(file, 0, 4 * MIB);
    assertEquals(0, mapped.get(2 * MIB + 5));

    CachedPages part = look(file, 2 * MIB - 100, MIB).orElseThrow();

    assertEquals(2 * MIB - 100, part.offset());
    assertEquals(1, part.bytes(2 * MIB + 5, 2 * MIB + 6));
    assertEquals(0, part.bytes(2 * MIB + AROUND_BYTES, 3 * MIB - 100));
  }

  /** Lucene maps a file of many gigabytes in parts, each reader of it anew. */
  @Test
  void look_atAFileWithSeveralMappings_addsThemUp() throws IOException {
    MappedByteBuffer first = map(file, 0, 2 * MIB);
    MappedByteBuffer second = map(file, 2 * MIB, 2 * MIB);
    MappedByteBuffer again = map(file, MIB, 3 * MIB);
    assertEquals(0, first.get(0) + second.get(0) + again.get(2 * MIB));

    CachedPages touched = look(file, 0, 4 * MIB).orElseThrow();

    for (int at : new int[] {0, 2 * MIB, 3 * MIB}) {
      assertEquals(1, touched.bytes(at, at + 1), () -> "byte " + at);
    }
    assertEquals(0, touched.bytes(MIB, MIB + 1));
  }

  @Test
  void look_throughALink_findsTheFile() throws IOException {
    MappedByteBuffer mapped = map(file, 0, 4 * MIB);
    assertEquals(0, mapped.get(0));
    Path link = Files.createSymbolicLink(temp.resolve("link"), file);
    assertEquals(1, look(link, 0, 4 * MIB).orElseThrow().bytes(0, 1));
  }

  @Test
  void look_atAFileThatIsNotMapped_hasNoAnswer() throws IOException {
    assertEquals(Optional.empty(), look(file, 0, 4 * MIB));
    assertEquals(Optional.empty(), look(Files.createFile(temp.resolve("empty")), 0, 0));
  }
}
