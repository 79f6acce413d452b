package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.store.KernelPageCache;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.PageCache;
import io.weir.store.kernel.LinuxCalls;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrdinaryReadsTest {

  private static final int FILE_BYTES = 4 << 20;
  private static final int PART_BYTES = 1 << 20;

  @TempDir Path temp;

  private final OrdinaryReads.Account account = new OrdinaryReads.Account();

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
    try (OrdinaryReads ahead = new OrdinaryReads(Optional.of(file), Optional.empty(), account)) {
      ahead.fetch(PART_BYTES, PART_BYTES);
    }
    assertEquals(PART_BYTES, account.bytes());
    long fetched = cache.residentBytes(file) - before;
    assertTrue(fetched >= PART_BYTES, fetched + " more bytes are in the page cache");
  }

  @Test
  void fetch_pastTheEnd_readsWhatIsThere() throws IOException {
    try (OrdinaryReads ahead = new OrdinaryReads(Optional.of(write()), Optional.empty(), account)) {
      ahead.fetch(FILE_BYTES - 10, PART_BYTES);
      ahead.fetch(FILE_BYTES + 10, PART_BYTES);
    }
    assertEquals(10, account.bytes());
    assertEquals(0, account.faults());
  }

  @Test
  void fetch_thatFails_isCountedOnce_andNotTriedAgain() throws IOException {
    Path file = temp.resolve("_1.fdt");
    try (OrdinaryReads ahead = new OrdinaryReads(Optional.of(file), Optional.empty(), account)) {
      ahead.fetch(0, PART_BYTES);
      Files.write(file, new byte[PART_BYTES]);
      ahead.fetch(0, PART_BYTES);
    }
    assertEquals(1, account.faults());
    assertEquals(0, account.bytes());
  }

  @Test
  void read_fillsTheBuffer_orLeavesItAsItWas() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    buffer.position(40);
    try (OrdinaryReads file = new OrdinaryReads(Optional.of(write()), Optional.empty(), account)) {
      assertTrue(file.read(buffer, FILE_BYTES - 60));
      assertEquals(100, buffer.position());
      buffer.position(40);
      assertFalse(file.read(buffer, FILE_BYTES - 59), "one byte too few");
      assertEquals(40, buffer.position());
      assertEquals(1, account.faults());
      assertFalse(file.read(buffer, 0), "it has failed before");
    }
    assertEquals(60, account.bytes());
  }

  /** As a security manager, or an engine's, may do. */
  @Test
  void look_thatIsDenied_endsNoRead_andIsSaid() throws IOException {
    LinuxCalls denied =
        (LinuxCalls)
            Proxy.newProxyInstance(
                LinuxCalls.class.getClassLoader(),
                new Class<?>[] {LinuxCalls.class},
                (proxy, method, arguments) -> {
                  throw new SecurityException("not entitled");
                });
    try (OrdinaryReads file =
        new OrdinaryReads(Optional.of(write()), Optional.of(denied), account)) {
      assertEquals(Optional.empty(), file.look(0, FILE_BYTES));
      assertTrue(file.read(ByteBuffer.allocate(100), 0));
      assertEquals(Optional.of("java.lang.SecurityException: not entitled"), account.obstacle());
      assertEquals(0, account.faults());
    }
  }

  @Test
  void read_ofAnInterruptedThread_isRefused_andTheInterruptKept() throws IOException {
    try (OrdinaryReads file = new OrdinaryReads(Optional.of(write()), Optional.empty(), account)) {
      Thread.currentThread().interrupt();
      assertFalse(file.read(ByteBuffer.allocate(10), 0));
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void fetch_afterClose_doesNothing() throws IOException {
    OrdinaryReads ahead = new OrdinaryReads(Optional.of(write()), Optional.empty(), account);
    ahead.close();
    ahead.fetch(0, PART_BYTES);
    assertEquals(0, account.bytes());
    assertEquals(0, account.faults());
  }

  @Test
  void reason_saysHowMergesRead() throws IOException {
    try (MergeReadsDirectory mapped = new MergeReadsDirectory(new MMapDirectory(temp));
        MergeReadsDirectory heap = new MergeReadsDirectory(new ByteBuffersDirectory())) {
      assertEquals("merges read beside the mappings of searches", mapped.reason());
      assertEquals("merges read as searches do: ByteBuffersDirectory has no path", heap.reason());
    }
  }
}
