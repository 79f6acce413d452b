package io.weir.store;

import static io.weir.store.KeyedIndex.config;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.FailingLog;
import io.weir.fakes.ReadCountingDirectory;
import io.weir.store.held.HeapHeadroom;
import io.weir.store.held.Heaps;
import io.weir.store.held.HeldMemory;
import io.weir.store.held.ProcessMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  private static final long MIB = 1 << 20;

  /** After the one at the reservation, and that at the index, which has one piece. */
  private static final int FIRST_LOOK_AT_BLOCKS = 3;

  @TempDir Path temp;

  @Test
  void reserve_refusedOrReclaimedWhileTheLogFails_isJustThat() {
    try (FailingLog log = FailingLog.of(ResidentMemory.class.getPackage())) {
      ProcessMemory memory = Heaps.memory("things", 100, Heaps.ROOMY);
      ProcessMemory.Reservation reservation = memory.reservation("a", 100);
      assertFalse(memory.reserve("b", 1));
      reservation.reclaimed();
      assertTrue(memory.reserve("b", 1));
      assertEquals(2, log.calls());
    }
  }

  @Test
  void reserve_upToTheBound_isCounted() {
    ProcessMemory memory = Heaps.memory("things", 100, Heaps.ROOMY);
    assertTrue(memory.reserve("a", 60));
    assertFalse(memory.reserve("b", 41));
    assertTrue(memory.reserve("c", 40));
    memory.release(100);
    assertEquals(
        new ResidentMemorySnapshot(0, 100, 100, 1, 0, 0, Duration.ZERO), memory.snapshot());
    assertEquals(0, memory.bytes());
  }

  @Test
  void reserve_withoutRoomInTheHeap_isRefusedWithinTheBound() {
    AtomicLong used = new AtomicLong(700);
    HeapHeadroom heap = Heaps.of(1000, used::get);
    ProcessMemory memory = Heaps.memory("things", 1000, heap);
    assertFalse(memory.reserve("a", 51));
    used.set(600);
    assertTrue(memory.reserve("a", 51));
  }

  /** Reading what the JVM reclaims at once: four seconds for each MiB, and more each time. */
  @Test
  void reclaimed_soon_theProcessWaitsByTheBytesThatWereWasted() {
    AutoClock clock = new AutoClock();
    ProcessMemory memory = Heaps.memory("things", Long.MAX_VALUE, Heaps.ROOMY, clock);
    assertEquals(MIB, wasteOneMebibyte(memory));
    assertEquals(Duration.ofSeconds(4), memory.snapshot().backoff());
    assertEquals(-1, memory.roomBytes());
    assertNull(memory.reservation("b", 1));
    clock.advanceNanos(Duration.ofSeconds(4).toNanos());
    assertEquals(Duration.ZERO, memory.snapshot().backoff());
    assertEquals(MIB, wasteOneMebibyte(memory));
    assertEquals(Duration.ofSeconds(8), memory.snapshot().backoff());
    assertEquals(2 * MIB, memory.snapshot().wastedBytes());
    for (int i = 0; i < 200; i++) {
      clock.advanceNanos(memory.snapshot().backoff().toNanos());
      wasteOneMebibyte(memory);
    }
    assertEquals(Heaps.LONGEST_BACKOFF, memory.snapshot().backoff());
    assertEquals(0, memory.snapshot().refusals());
  }

  private static long wasteOneMebibyte(ProcessMemory memory) {
    ProcessMemory.Reservation reservation = memory.reservation("a", MIB);
    reservation.fill(MIB);
    return reservation.reclaimed();
  }

  @Test
  void reclaimed_afterItWasHeldForLong_isNoWasteAndForgivesEarlierWaste() {
    AutoClock clock = new AutoClock();
    ProcessMemory memory = Heaps.memory("things", Long.MAX_VALUE, Heaps.ROOMY, clock);
    wasteOneMebibyte(memory);
    clock.advanceNanos(Duration.ofSeconds(4).toNanos());
    ProcessMemory.Reservation reservation = memory.reservation("a", MIB);
    reservation.fill(MIB);
    clock.advanceNanos(Duration.ofSeconds(4).toNanos());
    assertEquals(0, reservation.reclaimed());
    assertEquals(Duration.ZERO, memory.snapshot().backoff());
    wasteOneMebibyte(memory);
    assertEquals(Duration.ofSeconds(4), memory.snapshot().backoff());
  }

  @Test
  void backoff_endsWithAHigherLimit_orMuchMoreRoomInTheHeap() {
    AutoClock clock = new AutoClock();
    AtomicLong used = new AtomicLong();
    ProcessMemory memory = Heaps.memory("things", 10 * MIB, Heaps.of(256 * MIB, used::get), clock);
    used.set(190 * MIB);
    wasteOneMebibyte(memory);
    assertNull(memory.reservation("b", MIB));
    memory.setMaxBytes(9 * MIB);
    assertNull(memory.reservation("b", MIB));
    memory.setMaxBytes(10 * MIB);
    assertNotNull(memory.reservation("b", MIB));

    wasteOneMebibyte(memory);
    used.set(170 * MIB);
    assertNull(memory.reservation("b", MIB));
    used.set(160 * MIB);
    assertNotNull(memory.reservation("b", MIB));
  }

  @Test
  void reservation_endedTwice_isReleasedOnce() {
    ProcessMemory memory = Heaps.memory("things", 100, Heaps.ROOMY);
    ProcessMemory.Reservation one = memory.reservation("a", 50);
    ProcessMemory.Reservation other = memory.reservation("b", 50);
    one.fill(20);
    one.release();
    one.release();
    one.fill(30);
    assertEquals(0, one.reclaimed());
    assertEquals(0, one.giveUp());
    assertEquals(50, memory.bytes());
    other.release();
    assertEquals(0, memory.bytes());
  }

  @Test
  void setMaxBytes_negative_isRefused() {
    ProcessMemory memory = Heaps.memory("things", 100, Heaps.ROOMY);
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
      long needed = loader.memory.bytes();
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
    assertEquals(0, loader.memory.bytes());
    loader.goRound();
    assertFalse(loader.isDue(), "nothing is open, and the loader goes on");
  }

  /** The heap is short while the dictionary is copied: what was copied is kept, and its room. */
  @Test
  void heap_isShortInTheMiddleOfACopy_goesOnWhereItStopped() throws Exception {
    ReadCountingDirectory disk = new ReadCountingDirectory(FSDirectory.open(temp));
    KeyedIndex.build(disk, config(false, KEYS), 1, 1000);
    AtomicLong looks = new AtomicLong();
    HeapHeadroom heap =
        Heaps.of(1 << 30, () -> looks.incrementAndGet() == FIRST_LOOK_AT_BLOCKS ? 1 << 30 : 0);
    SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE, heap, bytes -> bytes);
    try (ResidentDirectory resident = loader.directory(disk, KEYS);
        DirectoryReader reader = DirectoryReader.open(resident)) {
      assertEquals(2, resident.snapshot().waitingFiles());
      long bytes = loader.memory.bytes();
      assertTrue(bytes > 1000, bytes + " bytes");
      long read = resident.snapshot().readBytes();
      assertEquals(disk.fileLength("_0_Lucene104_1.tip"), read);
      loader.goRound();
      assertEquals(2, resident.snapshot().files());
      assertEquals(bytes, resident.snapshot().readBytes());
      assertEquals(bytes, loader.memory.bytes());
      assertEquals(0, resident.snapshot().wastedBytes());
      assertEquals(0, resident.snapshot().faults());
      KeyedIndex.assertVersion("first", reader, 5);
    }
    assertEquals(0, loader.memory.bytes());
  }

  @Test
  void smallFiles_ofTwoDirectories_shareTheBound() throws Exception {
    ProcessMemory memory = Heaps.memory("small files", 150, Heaps.ROOMY);
    try (SmallFilesDirectory one = small(memory);
        SmallFilesDirectory other = small(memory)) {
      byte[] expected = SmallFilesDirectoryTest.write(one, "small", 100);
      try (IndexInput held = one.openInput("small", IOContext.DEFAULT);
          IndexInput mapped = other.openInput("small", IOContext.DEFAULT)) {
        assertEquals(1, other.snapshot().refusedFiles());
        assertArrayEquals(expected, SmallFilesDirectoryTest.bytes(held));
        assertArrayEquals(expected, SmallFilesDirectoryTest.bytes(mapped));
        assertEquals(100, memory.bytes());
      }
      other.openInput("small", IOContext.DEFAULT).close();
      assertEquals(1, other.snapshot().readFiles());
    }
    assertEquals(0, memory.bytes());
  }

  @Test
  void smallFile_withoutHeap_isLeftToTheDirectoryBelow() throws Exception {
    ProcessMemory memory = Heaps.memory("small files", 1000, Heaps.ROOMY);
    HeldMemory.Allocator none =
        bytes -> {
          throw new OutOfMemoryError("Java heap space");
        };
    try (SmallFilesDirectory directory =
        new SmallFilesDirectory(new MMapDirectory(temp), SmallFilesOptions.DEFAULT, memory, none)) {
      byte[] expected = SmallFilesDirectoryTest.write(directory, "small", 100);
      try (IndexInput mapped = directory.openInput("small", IOContext.DEFAULT)) {
        assertArrayEquals(expected, SmallFilesDirectoryTest.bytes(mapped));
      }
      assertEquals(new SmallFilesDirectory.Snapshot(0, 0, 0, 1), directory.snapshot());
      assertEquals(0, memory.bytes());
    }
  }

  private SmallFilesDirectory small(ProcessMemory memory) throws Exception {
    return new SmallFilesDirectory(
        new MMapDirectory(temp), SmallFilesOptions.DEFAULT, memory, byte[]::new);
  }
}
