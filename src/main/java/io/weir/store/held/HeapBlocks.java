package io.weir.store.held;

import org.apache.lucene.util.BitUtil;

/**
 * Bytes on the heap in blocks of equal size, read by position; numbers are little-endian.
 *
 * <p><b>Threads:</b> any, once the blocks no longer change. Positions are not checked.
 */
public final class HeapBlocks {

  private static final byte[] NOTHING = {};

  private final byte[][] blocks;
  private final int shift; // log2 of the block size

  private HeapBlocks(byte[][] blocks, int shift) {
    this.blocks = blocks;
    this.shift = shift;
  }

  /** All bytes in one block. */
  static HeapBlocks of(byte[] bytes) {
    return new HeapBlocks(new byte[][] {bytes}, Integer.SIZE - 1);
  }

  /**
   * Several blocks.
   *
   * @param blockBytes the size of each block but the last, which may be smaller: a power of two
   */
  static HeapBlocks of(byte[][] blocks, int blockBytes) {
    return new HeapBlocks(blocks, Integer.numberOfTrailingZeros(blockBytes));
  }

  long bytes() {
    long bytes = 0;
    for (byte[] block : blocks) {
      bytes += block.length;
    }
    return bytes;
  }

  /** The start of the block that contains this position. */
  long startOfBlock(long position) {
    return position >>> shift << shift;
  }

  /** The block that starts there; empty after the last. */
  byte[] blockFrom(long position) {
    int index = index(position);
    return index < blocks.length ? blocks[index] : NOTHING;
  }

  byte byteAt(long position) {
    return blocks[index(position)][offset(position)];
  }

  short shortAt(long position) {
    byte[] from = blocks[index(position)];
    int first = offset(position);
    return first <= from.length - Short.BYTES
        ? (short) BitUtil.VH_LE_SHORT.get(from, first)
        : (short) acrossBlocks(position, Short.BYTES);
  }

  int intAt(long position) {
    byte[] from = blocks[index(position)];
    int first = offset(position);
    return first <= from.length - Integer.BYTES
        ? (int) BitUtil.VH_LE_INT.get(from, first)
        : (int) acrossBlocks(position, Integer.BYTES);
  }

  long longAt(long position) {
    byte[] from = blocks[index(position)];
    int first = offset(position);
    return first <= from.length - Long.BYTES
        ? (long) BitUtil.VH_LE_LONG.get(from, first)
        : acrossBlocks(position, Long.BYTES);
  }

  void copy(long position, byte[] into, int offset, int length) {
    for (int done = 0; done < length; ) {
      byte[] from = blocks[index(position + done)];
      int first = offset(position + done);
      int count = Math.min(length - done, from.length - first);
      System.arraycopy(from, first, into, offset + done, count);
      done += count;
    }
  }

  private long acrossBlocks(long position, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = value << Byte.SIZE | byteAt(position + i) & 0xff;
    }
    return value;
  }

  private int index(long position) {
    return (int) (position >>> shift);
  }

  private int offset(long position) {
    return (int) (position & (1L << shift) - 1);
  }
}
