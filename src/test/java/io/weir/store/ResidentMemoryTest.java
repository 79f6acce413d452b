package io.weir.store;

import static io.weir.store.KeyedIndex.config;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.FailingLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bounds hold for the process: one memory for all of its directories. */
@Timeout(60)
class ResidentMemoryTest {

  private static final ResidentKeys KEYS = ResidentKeys.of(KeyedIndex.KEY);
  private static final HeapHeadroom ROOMY = new HeapHeadroom(Long.MAX_VALUE, () -> 0, () -> 0);

  @TempDir Path temp;

  @Test
  void reserve_refusedOrReclaimedWhileTheLogFails_isJustThat() {
    try (FailingLog log = FailingLog.of(ResidentMemory.class.getPackage())) {
      ResidentMemory memory = new ResidentMemory("things", 100, ROOMY);
      assertTrue(memory.reserve("a", 100));
      assertFalse(memory.reserve("b", 1));
      memory.reclaimed(100);
      assertTrue(memory.reserve("b", 1));
      assertEquals(2, log.calls());
    }
  }

  @Test
  void reserve_upToTheBound_isCounted() {
    ResidentMemory memory = new ResidentMemory("things", 100, ROOMY);
    assertTrue(memory.reserve("a", 60));
    assertFalse(memory.reserve("b", 41));
    assertTrue(memory.reserve("c", 40));
    memory.release(60);
    memory.reclaimed(40);
    assertEquals(new ResidentMemorySnapshot(0, 100, 100, 1, 1), memory.snapshot());
    assertEquals(0, memory.ramBytesUsed());
  }

  @Test
  void reserve_withoutRoomInTheHeap_isRefusedWithinTheBound() {
    AtomicLong used = new AtomicLong(700);
    HeapHeadroom heap = new HeapHeadroom(1000, used::get, used::get);
    ResidentMemory memory = new ResidentMemory("things", 1000, heap);
    assertFalse(memory.reserve("a", 51));
    used.set(600);
    assertTrue(memory.reserve("a", 51));
  }

  @Test
  void setMaxBytes_negative_isRefused() {
    ResidentMemory memory = new ResidentMemory("things", 100, ROOMY);
    assertEquals(
        "maxBytes must be at least 0 bytes: -1",
        assertThrows(IllegalArgumentException.class, () -> memory.setMaxBytes(-1)).getMessage());
  }

  @Test
  void ofTheProcess_boundsAreFractionsOfTheHeap() {
    long heap = Runtime.getRuntime().maxMemory();
    assertEquals(heap / 4, ResidentMemory.ofKeys().maxBytes());
    assertEquals(heap / 16, ResidentMemory.ofSmallFiles().maxBytes());
  }

  /**
   * What one index holds another cannot; it gets it when the first is closed, or the bound rises.
   */
  @Test
  void twoIndexes_shareTheBound_andWhatWaitsGetsTheRoomThatComes() throws Exception {
    Path first = Files.createDirectory(temp.resolve("first"));
    Path second = Files.createDirectory(temp.resolve("second"));
    KeyedIndex.build(FSDirectory.open(first), config(false, KEYS), 1, 1000);
    KeyedIndex.build(FSDirectory.open(second), config(false, KEYS), 1, 1000);
    SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE);
    try (ResidentDirectory one = loader.directory(FSDirectory.open(first), KEYS);
        ResidentDirectory other = loader.directory(FSDirectory.open(second), KEYS)) {
      DirectoryReader reader = DirectoryReader.open(one);
      long needed = loader.memory.ramBytesUsed();
      assertTrue(needed > 1000, needed + " bytes");
      loader.memory.setMaxBytes(needed);
      loader.goRound();
      DirectoryReader waiting = DirectoryReader.open(other);
      assertEquals(2, other.snapshot().waitingFiles());
      KeyedIndex.assertVersion("first", waiting, 5);
      loader.goRound();
      assertEquals(0, other.snapshot().files());

      reader.close();
      loader.goRound();
      assertEquals(2, other.snapshot().files());
      assertEquals(0, other.snapshot().waitingFiles());

      reader = DirectoryReader.open(one);
      loader.goRound();
      assertEquals(2, one.snapshot().waitingFiles());
      loader.memory.setMaxBytes(2 * needed);
      loader.goRound();
      assertEquals(2, one.snapshot().files());
      KeyedIndex.assertVersion("first", reader, 5);
      reader.close();
      waiting.close();
    }
    assertEquals(0, loader.memory.ramBytesUsed());
    loader.goRound();
    assertFalse(loader.isDue(), "nothing is open, and the loader goes on");
  }

  /** The heap is short while the dictionary is copied: what was copied is given back. */
  @Test
  void heap_isShortInTheMiddleOfACopy_theRestWaits() throws Exception {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, 1000);
    AtomicLong looks = new AtomicLong();
    HeapHeadroom heap =
        new HeapHeadroom(1 << 30, () -> looks.incrementAndGet() == 3 ? 1 << 30 : 0, () -> 1 << 30);
    SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE, heap, bytes -> bytes);
    try (ResidentDirectory resident = loader.directory(FSDirectory.open(temp), KEYS);
        DirectoryReader reader = DirectoryReader.open(resident)) {
      assertEquals(2, resident.snapshot().waitingFiles());
      assertEquals(0, loader.memory.ramBytesUsed());
      loader.goRound();
      assertEquals(2, resident.snapshot().files());
      assertEquals(0, resident.snapshot().faults());
      KeyedIndex.assertVersion("first", reader, 5);
    }
  }

  @Test
  void smallFiles_ofTwoDirectories_shareTheBound() throws Exception {
    ResidentMemory memory = new ResidentMemory("small files", 150, ROOMY);
    try (SmallFilesDirectory one = small(memory);
        SmallFilesDirectory other = small(memory)) {
      byte[] expected = SmallFilesDirectoryTest.write(one, "small", 100);
      try (IndexInput held = one.openInput("small", IOContext.DEFAULT);
          IndexInput mapped = other.openInput("small", IOContext.DEFAULT)) {
        assertEquals(1, other.snapshot().refusedFiles());
        assertArrayEquals(expected, SmallFilesDirectoryTest.bytes(held));
        assertArrayEquals(expected, SmallFilesDirectoryTest.bytes(mapped));
        assertEquals(100, memory.ramBytesUsed());
      }
      other.openInput("small", IOContext.DEFAULT).close();
      assertEquals(1, other.snapshot().readFiles());
    }
    assertEquals(0, memory.ramBytesUsed());
  }

  @Test
  void smallFile_withoutHeap_isLeftToTheDirectoryBelow() throws Exception {
    ResidentMemory memory = new ResidentMemory("small files", 1000, ROOMY);
    HeapCopy.Allocator none =
        bytes -> {
          throw new OutOfMemoryError("Java heap space");
        };
    try (SmallFilesDirectory directory =
        new SmallFilesDirectory(new MMapDirectory(temp), SmallFilesOptions.DEFAULT, memory, none)) {
      byte[] expected = SmallFilesDirectoryTest.write(directory, "small", 100);
      try (IndexInput mapped = directory.openInput("small", IOContext.DEFAULT)) {
        assertArrayEquals(expected, SmallFilesDirectoryTest.bytes(mapped));
      }
      assertEquals(new SmallFilesSnapshot(0, 0, 0, 1), directory.snapshot());
      assertEquals(0, memory.ramBytesUsed());
    }
  }

  private SmallFilesDirectory small(ResidentMemory memory) throws Exception {
    return new SmallFilesDirectory(
        new MMapDirectory(temp), SmallFilesOptions.DEFAULT, memory, byte[]::new);
  }
}
