package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.store.reads.ReadAhead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReadAheadTest {

  private static final int FILE_BYTES = 4 << 20;
  private static final int PART_BYTES = 1 << 20;

  @TempDir Path temp;

  private final ReadAhead.OfFile.Account account = new ReadAhead.OfFile.Account();

  private Path write() throws IOException {
    return Files.write(temp.resolve("_0.fdt"), new byte[FILE_BYTES]);
  }

  @Test
  void fetch_ofAPart_bringsItIntoThePageCache() throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty(), () -> KernelPageCache.unavailable().toString());
    assumeTrue(
        KernelPageCache.obstacle(temp).isEmpty(), () -> KernelPageCache.obstacle(temp).toString());
    Path file = write();
    PageCache cache = KernelPageCache.of(temp);
    cache.drop(file);
    long before = cache.residentBytes(file);
    try (ReadAhead.OfFile ahead = new ReadAhead.OfFile(file, account)) {
      ahead.fetch(PART_BYTES, PART_BYTES);
    }
    assertEquals(PART_BYTES, account.bytes());
    long fetched = cache.residentBytes(file) - before;
    assertTrue(fetched >= PART_BYTES, fetched + " more bytes are in the page cache");
  }

  @Test
  void fetch_pastTheEnd_readsWhatIsThere() throws IOException {
    try (ReadAhead.OfFile ahead = new ReadAhead.OfFile(write(), account)) {
      ahead.fetch(FILE_BYTES - 10, PART_BYTES);
      ahead.fetch(FILE_BYTES + 10, PART_BYTES);
    }
    assertEquals(10, account.bytes());
    assertEquals(0, account.faults());
  }

  @Test
  void fetch_thatFails_isCountedOnce_andNotTriedAgain() throws IOException {
    Path file = temp.resolve("_1.fdt");
    try (ReadAhead.OfFile ahead = new ReadAhead.OfFile(file, account)) {
      ahead.fetch(0, PART_BYTES);
      Files.write(file, new byte[PART_BYTES]);
      ahead.fetch(0, PART_BYTES);
    }
    assertEquals(1, account.faults());
    assertEquals(0, account.bytes());
  }

  @Test
  void fetch_afterClose_doesNothing() throws IOException {
    ReadAhead.OfFile ahead = new ReadAhead.OfFile(write(), account);
    ahead.close();
    ahead.fetch(0, PART_BYTES);
    assertEquals(0, account.bytes());
    assertEquals(0, account.faults());
  }

  @Test
  void reason_saysWhetherMergesReadAhead() throws IOException {
    try (MergeReadsDirectory mapped = new MergeReadsDirectory(new MMapDirectory(temp));
        MergeReadsDirectory heap = new MergeReadsDirectory(new ByteBuffersDirectory())) {
      assertEquals("merges read mapped files ahead", mapped.reason());
      assertEquals("merges read nothing ahead: ByteBuffersDirectory has no path", heap.reason());
    }
  }
}
