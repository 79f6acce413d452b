package io.weir.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Memory of a {@link PagePool} for one set of documents: pages, and at the end what the rest needs.
 * It is read and written as if it were one piece, little-endian, in values at multiples of their
 * size.
 *
 * <p><b>Threads:</b> writes are for one, before others can see it. <b>Failure:</b> an access inside
 * never fails, even after it was freed; its contents are then anyone's.
 */
final class Extent {

  private static final int SHIFT = Integer.numberOfTrailingZeros(PagePool.PAGE_BYTES);
  private static final int MASK = PagePool.PAGE_BYTES - 1;

  private final ByteBuffer[] slabs;
  private final int[] addresses;
  private final int bytes;

  /**
   * A view of memory.
   *
   * @param slabs all up to the last one that is needed
   * @param addresses of the pieces, each a whole page but the last
   * @param bytes of all
   */
  Extent(ByteBuffer[] slabs, int[] addresses, int bytes) {
    this.slabs = slabs;
    this.addresses = addresses;
    this.bytes = bytes;
  }

  /**
   * One after the other.
   *
   * @param parts in the order in which they were taken; all but the last are whole pages
   */
  static Extent join(List<Extent> parts) {
    int[] all = parts.stream().flatMapToInt(part -> Arrays.stream(part.addresses)).toArray();
    ByteBuffer[] mostSlabs = parts.getLast().slabs;
    return new Extent(mostSlabs, all, parts.stream().mapToInt(part -> part.bytes).sum());
  }

  int bytes() {
    return bytes;
  }

  /** What it takes of the pool: its last piece may be smaller than the cell that holds it. */
  long takenBytes() {
    int last = pieces() - 1;
    return (long) last * PagePool.PAGE_BYTES + PagePool.roundUp(bytes(last));
  }

  int pieces() {
    return addresses.length;
  }

  int address(int piece) {
    return addresses[piece];
  }

  int bytes(int piece) {
    return Math.min(PagePool.PAGE_BYTES, bytes - (piece << SHIFT));
  }

  long longAt(int position) {
    int address = addresses[position >>> SHIFT];
    return slabs[PagePool.slab(address)].getLong(PagePool.offset(address) + (position & MASK));
  }

  /** Reads a number of longs. */
  void read(int position, long[] into, int longs) {
    for (int done = 0; done < longs; ) {
      int from = position + (done << 3);
      int address = addresses[from >>> SHIFT];
      int inPage = from & MASK;
      int count = Math.min(longs - done, (PagePool.PAGE_BYTES - inPage) >>> 3);
      slabs[PagePool.slab(address)]
          .asLongBuffer()
          .get((PagePool.offset(address) + inPage) >>> 3, into, done, count);
      done += count;
    }
  }

  int shortAt(int position) {
    int address = addresses[position >>> SHIFT];
    return slabs[PagePool.slab(address)].getChar(PagePool.offset(address) + (position & MASK));
  }

  void putLong(int position, long value) {
    int address = addresses[position >>> SHIFT];
    slabs[PagePool.slab(address)].putLong(PagePool.offset(address) + (position & MASK), value);
  }

  void putShort(int position, int value) {
    int address = addresses[position >>> SHIFT];
    slabs[PagePool.slab(address)].putChar(
        PagePool.offset(address) + (position & MASK), (char) value);
  }
}
