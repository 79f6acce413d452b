package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.fakes.DeniedFileSystem;
import io.weir.store.kernel.FileStoreKind;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.kernel.LinuxCalls;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The kernel of this machine, on whatever file system the temporary directory is. */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(minVersion = 22)
class PageCacheTest {

  private static final int BYTES = 1_000_001;

  @TempDir Path temp;

  private PageCache cache;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    cache = KernelPageCache.of(temp);
    file = Files.write(temp.resolve("file"), new byte[BYTES]);
  }

  /**
   * Read by way of a mapping: each page is whole then, which the last ones of a file just written
   * need not be where blocks are smaller than pages, and none is reclaimed.
   */
  private static MappedByteBuffer load(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()).load();
    }
  }

  @Test
  void residentBytes_ofAFileThatWasRead_isAllOfIt() throws IOException {
    Path one = Files.write(temp.resolve("one"), new byte[1]);
    MappedByteBuffer mapped = load(file);
    MappedByteBuffer mappedOne = load(one);

    assertEquals(BYTES, cache.residentBytes(file));
    assertEquals(1, cache.residentBytes(one));
    assertEquals(0, cache.residentBytes(Files.createFile(temp.resolve("empty"))));
    assertEquals(BYTES + 1, mapped.capacity() + mappedOne.capacity());
  }

  @Test
  void of_whereFileStoreAttributesAreDenied_takesItForAnOrdinaryOne() throws IOException {
    Path denied = DeniedFileSystem.withoutAttributes(temp, new RuntimeException("not entitled"));
    assertEquals(Optional.empty(), KernelPageCache.obstacle(denied));
    assertEquals(
        0, KernelPageCache.of(denied).residentBytes(Files.createFile(temp.resolve("empty"))));
  }

  /** It maps a file in parts when it is long. */
  @Test
  void residentBytes_inParts_isTheSame() throws IOException {
    LinuxCalls calls = ForeignLinuxCalls.get();
    MappedByteBuffer mapped = load(file);
    for (int pages : new int[] {1, 7, 1000}) {
      assertEquals(
          BYTES, new KernelPageCache(calls, (long) pages * calls.pageBytes()).residentBytes(file));
    }
    assertEquals(BYTES, mapped.capacity());
  }

  @Test
  void drop_onADisk_leavesNothingAndHarmsNothing() throws IOException {
    assumeTrue(KernelPageCache.obstacle(temp).isEmpty(), KernelPageCache.obstacle(temp).toString());
    byte[] content = "what was dirty is on the disk".getBytes();
    Files.write(file, content);

    cache.drop(file);

    assertEquals(0, cache.residentBytes(file));
    assertEquals(new String(content), Files.readString(file));
    assertEquals(content.length, cache.residentBytes(file));
  }

  /** Arms run on hard links: what one has read is there for the next. */
  @Test
  void drop_ofAHardLink_dropsTheFileItself() throws IOException {
    assumeTrue(KernelPageCache.obstacle(temp).isEmpty(), KernelPageCache.obstacle(temp).toString());
    Path link = Files.createLink(temp.resolve("link"), file);

    cache.drop(link);

    assertEquals(0, cache.residentBytes(file));
  }

  @Test
  void drop_ofPagesThatSomebodyHasMapped_leavesThem() throws IOException {
    MappedByteBuffer mapped = load(file);

    cache.drop(file);

    assertEquals(BYTES, cache.residentBytes(file));
    assertEquals(0, mapped.get(0));
  }

  @Test
  void drop_whereFilesAreTheirPages_dropsNothingAndSaysSoBefore() throws IOException {
    assumeFalse(KernelPageCache.obstacle(temp).isEmpty(), "a file system on a disk");

    cache.drop(file);

    assertEquals(BYTES, cache.residentBytes(file));
    assertTrue(KernelPageCache.obstacle(temp).get().endsWith(" keeps its files in memory"));
  }

  @Test
  void residentBytes_leavesNothingMapped() throws IOException {
    cache.residentBytes(file);

    try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
      assertFalse(mappings.anyMatch(line -> line.endsWith(file.toString())));
    }
  }

  /** The kernel would say that all of it is there. */
  @Test
  void residentBytes_ofAFileThatMayNotBeWritten_isRefused() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assumeFalse(Files.isWritable(file), "root may write to any");

    assertThrows(AccessDeniedException.class, () -> cache.residentBytes(file));
  }

  @Test
  void anyCall_forAFileThatIsGone_fails() throws IOException {
    Files.delete(file);

    assertThrows(NoSuchFileException.class, () -> cache.drop(file));
    assertThrows(IOException.class, () -> cache.residentBytes(file));
  }

  @Test
  void storeKind_isToldByTheNameOfItsType() {
    assertEquals(FileStoreKind.IN_MEMORY, FileStoreKind.of("tmpfs"));
    assertEquals(FileStoreKind.IN_MEMORY, FileStoreKind.of("ramfs"));
    assertEquals(FileStoreKind.PAST_THE_PAGE_CACHE, FileStoreKind.of("zfs"));
    assertEquals(FileStoreKind.ORDINARY, FileStoreKind.of("ext4"));
    assertEquals(
        FileStoreKind.ORDINARY, FileStoreKind.of(FileStoreKind.typeOf(temp.resolve("missing"))));
    assertEquals(Optional.empty(), KernelPageCache.unavailable());
  }
}
