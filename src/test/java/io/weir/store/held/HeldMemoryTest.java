package io.weir.store.held;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

class HeldMemoryTest {

  private final ProcessMemory process = Heaps.memory("things", 100, Heaps.ROOMY);
  private final HeldMemory memory = new HeldMemory(80, process, byte[]::new);

  private static final HeldMemory.Allocator NO_HEAP =
      bytes -> {
        throw new OutOfMemoryError("Java heap space");
      };

  @Test
  void reserve_upToEitherLimit_isCountedInBoth() {
    HeldMemory other = new HeldMemory(80, process, byte[]::new);
    assertTrue(memory.reserve("a", 80));
    assertFalse(memory.reserve("b", 1));
    assertFalse(other.reserve("c", 21));
    assertTrue(other.reserve("d", 20));
    assertEquals(80, memory.bytes());
    assertEquals(20, other.bytes());
    assertEquals(100, process.bytes());
    memory.release(80);
    other.release(20);
    assertEquals(0, memory.bytes() + other.bytes() + process.bytes());
  }

  @Test
  void reserve_refusedByTheProcess_takesNothingHere() {
    assertTrue(process.reserve("of another directory", 60));
    assertFalse(memory.reserve("a", 50));
    assertNull(memory.allocate("a", 50));
    assertNull(memory.reservation("a", 50, 50, held -> {}));
    assertEquals(0, memory.bytes());
    assertEquals(80, memory.roomBytes());
  }

  @Test
  void allocate_withoutHeap_takesNothing() {
    HeldMemory withoutHeap = new HeldMemory(80, process, NO_HEAP);
    assertNull(withoutHeap.allocate("a", 50));
    assertEquals(0, withoutHeap.bytes());
    assertEquals(0, process.bytes());
  }

  @Test
  void trim_releasesTheRest_orKeepsTheArrayWithoutHeap() {
    byte[] array = memory.allocate("a", 50);
    array[1] = 7;
    assertArrayEquals(new byte[] {0, 7}, memory.trim(array, 2));
    assertEquals(2, memory.bytes());
    HeldMemory withoutHeap = new HeldMemory(80, process, NO_HEAP);
    assertTrue(withoutHeap.reserve("b", 50));
    byte[] kept = new byte[50];
    assertSame(kept, withoutHeap.trim(kept, 2));
    assertEquals(50, withoutHeap.bytes());
  }

  @Test
  void reservation_countsAllHere_andInTheProcessWhatNeedsHeap() {
    ProcessMemory.Reservation heap = memory.reservation("a", 60, 10, held -> {});
    assertNotNull(heap);
    assertEquals(60, memory.bytes());
    assertEquals(10, process.bytes());
    List<Long> refusedAt = new ArrayList<>();
    assertNull(memory.reservation("b", 21, 0, refusedAt::add));
    assertEquals(List.of(60L), refusedAt);
    heap.release();
    memory.ended(60);
    assertEquals(0, memory.bytes() + process.bytes());
  }

  @Test
  void requireLimits_outOfRange_namesTheRule() {
    HeldMemory.requireLimits("XOptions", 0, 10, 0);
    HeldMemory.requireLimits("XOptions", 10, 10, 10);
    assertEquals(
        "maxFileBytes must be from 1 to 10 bytes (for none use XOptions.OFF): 11",
        assertThrows(
                IllegalArgumentException.class,
                () -> HeldMemory.requireLimits("XOptions", 11, 10, 20))
            .getMessage());
    assertEquals(
        "maxHeldBytes must be at least maxFileBytes, 5 bytes: 4",
        assertThrows(
                IllegalArgumentException.class,
                () -> HeldMemory.requireLimits("XOptions", 5, 10, 4))
            .getMessage());
  }

  /** A file that was deleted while it was written: no one else would release its blocks. */
  @Test
  void flushedFile_droppedBeforeItIsWritten_isReleasedWhenItsOutputIsClosed() throws IOException {
    HeldMemory roomy =
        new HeldMemory(1 << 20, Heaps.memory("things", 1 << 20, Heaps.ROOMY), byte[]::new);
    FlushedFile file = new FlushedFile("_0.fdt", IOContext.DEFAULT, roomy);
    try (IndexOutput output = output(file, roomy)) {
      output.writeInt(1);
      file.release();
      assertNull(file.open());
    }
    assertEquals(0, roomy.bytes());
    FlushedFile kept = new FlushedFile("_1.fdt", IOContext.DEFAULT, roomy);
    try (IndexOutput output = output(kept, roomy)) {
      output.writeInt(1);
    }
    IndexInput input = kept.open();
    kept.release();
    assertEquals(Integer.BYTES, roomy.bytes());
    input.close();
    assertEquals(0, roomy.bytes());
  }

  private static IndexOutput output(FlushedFile file, HeldMemory memory) {
    FlushedFile.Destination nowhere =
        new FlushedFile.Destination() {
          @Override
          public IndexOutput spill(FlushedFile spilled) throws IOException {
            throw new IOException("not here");
          }

          @Override
          public void drop(FlushedFile dropped) {
            dropped.release();
          }
        };
    return new FlushedFile.Output(
        file, nowhere, memory, 1 << 20, memory.allocate(file.name(), FlushedFile.BLOCK_BYTES));
  }
}
