package io.weir.store.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CachedPagesTest {

  private static final int PAGE = 4096;

  @TempDir Path temp;

  /** Looks at a part of a file of ten pages, of which the kernel has those marked. */
  private CachedPages look(String marked, long offset, long length, long chunkBytes)
      throws IOException {
    Path file = Files.write(temp.resolve("file"), new byte[10 * PAGE]);
    try (FileChannel channel = FileChannel.open(file)) {
      return CachedPages.look(new MarkedPages(marked, PAGE), channel, offset, length, chunkBytes);
    }
  }

  private static List<String> uncached(CachedPages pages, long from, long to) throws IOException {
    List<String> runs = new ArrayList<>();
    pages.uncached(from, to, (offset, bytes) -> runs.add(offset + "+" + bytes));
    return runs;
  }

  static Stream<Arguments> chunks() {
    return Stream.of(1, 3, 1000).map(pages -> Arguments.of((long) pages * PAGE));
  }

  @ParameterizedTest
  @MethodSource("chunks")
  void look_atWholePages_findsThoseOfTheKernel(long chunkBytes) throws IOException {
    CachedPages pages = look("x..xx....x", 0, 10 * PAGE, chunkBytes);
    assertEquals(4 * PAGE, pages.bytes());
    assertEquals(List.of("4096+8192", "20480+16384"), uncached(pages, 0, 10 * PAGE));
  }

  @ParameterizedTest
  @MethodSource("chunks")
  void look_atAPart_countsPartsOfPages(long chunkBytes) throws IOException {
    long begin = 3 * PAGE + 100;
    CachedPages pages = look("x..xx..x.x", begin, 4 * PAGE + 50, chunkBytes);
    assertEquals(begin, pages.offset());
    assertEquals(4 * PAGE + 50, pages.length());
    assertEquals(PAGE - 100 + PAGE + 150, pages.bytes(), "pages 3, 4, and the beginning of 7");
    assertEquals(30, pages.bytes(begin + 20, begin + 50));
    assertEquals(0, pages.bytes(5 * PAGE, 6 * PAGE));
    assertEquals(List.of("20480+8192"), uncached(pages, begin, begin + pages.length()));
    assertEquals(List.of("20490+10"), uncached(pages, 5 * PAGE + 10, 5 * PAGE + 20));
    assertEquals(List.of(), uncached(pages, begin, begin));
  }

  @Test
  void look_atNothing_findsNothing() throws IOException {
    CachedPages pages = look("xxxxxxxxxx", PAGE, 0, PAGE);
    assertEquals(0, pages.bytes());
    assertEquals(List.of(), uncached(pages, PAGE, PAGE));
  }
}
