package io.weir.cache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Memory outside the heap in pages of 8 KiB, and in cells: a half of a page, a quarter, and so on
 * to 128 bytes. Sets of any size share it without gaps between them, so what one set frees the next
 * can use.
 *
 * <p>Pages come from slabs of up to 4 MiB. A slab is never given back alone: to unmap memory, or to
 * find out that no thread reads it, needs all threads of the JVM. The JVM frees all slabs after the
 * pool and the last reader are unreachable.
 *
 * <p>An address is a count of 128 bytes from the beginning of the first slab.
 *
 * <p><b>Threads:</b> none of its own; {@link CachedQueries} guards it by its lock. Slabs and
 * extents may be read and written without.
 */
final class PagePool {

  static final int PAGE_BYTES = 8 << 10;
  static final int UNIT_BYTES = 128;
  static final int SLAB_BYTES = 4 << 20;

  private static final int UNITS_PER_PAGE = PAGE_BYTES / UNIT_BYTES;
  private static final int PAGES_PER_SLAB = SLAB_BYTES / PAGE_BYTES;
  private static final int SLAB_SHIFT = Integer.numberOfTrailingZeros(SLAB_BYTES / UNIT_BYTES);
  private static final int SLAB_MASK = (1 << SLAB_SHIFT) - 1;
  private static final int UNIT_SHIFT = Integer.numberOfTrailingZeros(UNIT_BYTES);
  private static final int PAGE_SHIFT = Integer.numberOfTrailingZeros(UNITS_PER_PAGE);

  private final Memory memory;
  private final int maxPages;

  /** Replaced when it grows, so that an extent can keep the one that it needs. */
  private ByteBuffer[] slabs = {};

  private int pages;
  private final BitSet freePages = new BitSet();
  private int freePageCount;

  /** By the logarithm of the units in a cell: pages of such cells, some of them free. */
  private final BitSet[] partlyFree = new BitSet[PAGE_SHIFT];

  /** The free cells of each page that is cut into cells. */
  private long[] freeCells = {};

  private long usedBytes;

  PagePool(long maxBytes, Memory memory) {
    this.memory = memory;
    this.maxPages = (int) Math.min(maxBytes / PAGE_BYTES, Integer.MAX_VALUE >>> PAGE_SHIFT);
    Arrays.setAll(partlyFree, i -> new BitSet());
  }

  /** The slab of an address. */
  static int slab(int address) {
    return address >>> SLAB_SHIFT;
  }

  /** The place of an address in its slab, in bytes. */
  static int offset(int address) {
    return (address & SLAB_MASK) << UNIT_SHIFT;
  }

  /** What a request for so many bytes, at most a page, takes. */
  static int roundUp(int bytes) {
    return bytes <= UNIT_BYTES ? UNIT_BYTES : Integer.highestOneBit(bytes - 1) << 1;
  }

  /** All that could ever be taken, free or not; at most the limit. */
  long reservedBytes() {
    return (long) pages * PAGE_BYTES;
  }

  /** What is taken. */
  long usedBytes() {
    return usedBytes;
  }

  /**
   * Takes memory of any contents.
   *
   * @param bytes whole pages, and one cell for the rest
   * @return empty if it is not free; then nothing is taken
   */
  Optional<Extent> take(int bytes) {
    int whole = bytes / PAGE_BYTES;
    int rest = bytes % PAGE_BYTES;
    boolean hasCell = rest > PAGE_BYTES / 2 || rest > 0 && partlyFree[cellClass(rest)].isEmpty();
    if (freePageCount < whole + (hasCell ? 1 : 0)) {
      return Optional.empty();
    }
    int[] pieces = new int[whole + (rest > 0 ? 1 : 0)];
    for (int i = 0; i < whole; i++) {
      pieces[i] = takePage() << PAGE_SHIFT;
    }
    usedBytes += (long) whole * PAGE_BYTES;
    if (rest > 0) {
      pieces[whole] = takeCell(rest);
    }
    return Optional.of(new Extent(slabs, pieces, bytes));
  }

  /** Frees memory, which may be taken again at once. */
  void free(Extent extent) {
    for (int i = 0; i < extent.pieces(); i++) {
      int address = extent.address(i);
      int bytes = roundUp(extent.bytes(i));
      memory.freed(slabs[slab(address)], offset(address), bytes);
      usedBytes -= bytes;
      if (bytes == PAGE_BYTES) {
        freePage(address >>> PAGE_SHIFT);
      } else {
        freeCell(address, bytes);
      }
    }
  }

  /** Adds a slab; false if the limit or the memory does not allow it. */
  boolean grow() {
    int newPages = Math.min(PAGES_PER_SLAB, maxPages - pages);
    if (newPages <= 0) {
      return false;
    }
    Optional<ByteBuffer> slab = memory.allocate(newPages * PAGE_BYTES);
    slab.ifPresent(
        buffer -> {
          slabs = Arrays.copyOf(slabs, slabs.length + 1);
          slabs[slabs.length - 1] = buffer.order(ByteOrder.LITTLE_ENDIAN);
          freePages.set(pages, pages + newPages);
          freePageCount += newPages;
          pages += newPages;
          freeCells = Arrays.copyOf(freeCells, pages);
        });
    return slab.isPresent();
  }

  private int takePage() {
    int page = freePages.nextSetBit(0);
    freePages.clear(page);
    freePageCount--;
    return page;
  }

  private void freePage(int page) {
    freePages.set(page);
    freePageCount++;
  }

  private int takeCell(int bytes) {
    int cellBytes = roundUp(bytes);
    usedBytes += cellBytes;
    if (cellBytes == PAGE_BYTES) {
      return takePage() << PAGE_SHIFT;
    }
    BitSet candidates = partlyFree[cellClass(bytes)];
    int page = candidates.nextSetBit(0);
    if (page < 0) {
      page = takePage();
      freeCells[page] = allCells(cellBytes);
      candidates.set(page);
    }
    int cell = Long.numberOfTrailingZeros(freeCells[page]);
    freeCells[page] &= freeCells[page] - 1;
    if (freeCells[page] == 0) {
      candidates.clear(page);
    }
    return (page << PAGE_SHIFT) + cell * (cellBytes / UNIT_BYTES);
  }

  private void freeCell(int address, int cellBytes) {
    int page = address >>> PAGE_SHIFT;
    int cell = (address & (UNITS_PER_PAGE - 1)) / (cellBytes / UNIT_BYTES);
    freeCells[page] |= 1L << cell;
    boolean isWhole = freeCells[page] == allCells(cellBytes);
    partlyFree[cellClass(cellBytes)].set(page, !isWhole);
    if (isWhole) {
      freePage(page);
    }
  }

  private static long allCells(int cellBytes) {
    return -1L >>> (Long.SIZE - PAGE_BYTES / cellBytes);
  }

  private static int cellClass(int bytes) {
    return Integer.numberOfTrailingZeros(roundUp(bytes) / UNIT_BYTES);
  }
}
