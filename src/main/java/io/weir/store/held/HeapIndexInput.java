package io.weir.store.held;

import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BitUtil;

/**
 * A file on the heap, in blocks of equal size, or a part of it; numbers are little-endian.
 *
 * <p>The fast path reads the current block as an array; finding another block is off that path.
 *
 * <p><b>Threads:</b> one; other threads take a clone or a slice. <b>Ownership:</b> closing the
 * opened input calls {@code onClose}, once. Clones and slices share the blocks, and stay readable
 * after that.
 */
public final class HeapIndexInput extends IndexInput implements RandomAccessInput {

  private static final byte[] NOTHING = {};

  private final int shift; // log2 of the block size
  private final long start; // in the blocks
  private final long length;
  private byte[][] blocks; // null once closed
  private Runnable onClose; // null after the call, and in clones and slices

  // The current position: the index in the block, and the block's position relative to start.
  private byte[] block = NOTHING;
  private int at;
  private int end; // of the block, or of the input if that comes first
  private long blockStart;

  /** A file in one array; calls {@code onClose} when it is closed. */
  public HeapIndexInput(String description, byte[] bytes, Runnable onClose) {
    this(description, new byte[][] {bytes}, Integer.SIZE - 1, 0, bytes.length);
    this.onClose = onClose;
  }

  /**
   * A file in several arrays, which no longer change.
   *
   * @param blockBytes the size of each block but the last, which may be smaller: a power of two
   * @param length of the file; the blocks may have more bytes
   * @param onClose called when it is closed
   */
  public HeapIndexInput(
      String description, byte[][] blocks, int blockBytes, long length, Runnable onClose) {
    this(description, blocks, Integer.numberOfTrailingZeros(blockBytes), 0, length);
    this.onClose = onClose;
  }

  private HeapIndexInput(String description, byte[][] blocks, int shift, long start, long length) {
    super(description);
    this.blocks = blocks;
    this.shift = shift;
    this.start = start;
    this.length = length;
    goTo(0);
  }

  @Override
  public void close() {
    blocks = null;
    block = NOTHING;
    at = 0;
    end = 0;
    Runnable listener = onClose;
    onClose = null;
    if (listener != null) {
      listener.run();
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public long getFilePointer() {
    ensureOpen();
    return blockStart + at;
  }

  @Override
  public void seek(long pos) throws IOException {
    ensureOpen();
    if (pos < 0 || pos > length) {
      throw pastTheEnd("seek to " + pos);
    }
    long inBlock = pos - blockStart;
    if (inBlock >= 0 && inBlock < end) {
      at = (int) inBlock;
    } else {
      goTo(pos);
    }
  }

  @Override
  public IndexInput clone() {
    ensureOpen();
    HeapIndexInput clone = (HeapIndexInput) super.clone();
    clone.onClose = null;
    return clone;
  }

  @Override
  public IndexInput slice(String description, long offset, long length) {
    ensureOpen();
    if ((offset | length) < 0 || length > this.length - offset) {
      throw new IllegalArgumentException(
          "slice(%s) must lie within %d bytes: offset=%d, length=%d: %s"
              .formatted(description, this.length, offset, length, this));
    }
    return new HeapIndexInput(
        getFullSliceDescription(description), blocks, shift, start + offset, length);
  }

  /** True, because it is on the heap. */
  @Override
  public Optional<Boolean> isLoaded() {
    return Optional.of(true);
  }

  @Override
  public byte readByte() throws IOException {
    if (at == end) {
      nextBlock(Byte.BYTES);
    }
    return block[at++];
  }

  @Override
  public void readBytes(byte[] b, int offset, int len) throws IOException {
    if (len > end - at) {
      requireLeft(len);
    }
    int to = offset;
    int left = len;
    while (left > 0) {
      if (at == end) {
        nextBlock(left);
      }
      int count = Math.min(left, end - at);
      System.arraycopy(block, at, b, to, count);
      at += count;
      to += count;
      left -= count;
    }
  }

  @Override
  public short readShort() throws IOException {
    if (end - at < Short.BYTES) {
      requireLeft(Short.BYTES);
      return super.readShort();
    }
    short value = (short) BitUtil.VH_LE_SHORT.get(block, at);
    at += Short.BYTES;
    return value;
  }

  @Override
  public int readInt() throws IOException {
    if (end - at < Integer.BYTES) {
      requireLeft(Integer.BYTES);
      return super.readInt();
    }
    int value = (int) BitUtil.VH_LE_INT.get(block, at);
    at += Integer.BYTES;
    return value;
  }

  @Override
  public long readLong() throws IOException {
    if (end - at < Long.BYTES) {
      requireLeft(Long.BYTES);
      return super.readLong();
    }
    long value = (long) BitUtil.VH_LE_LONG.get(block, at);
    at += Long.BYTES;
    return value;
  }

  // Reads by position, which do not move the current position.

  @Override
  public byte readByte(long pos) throws IOException {
    return byteAt(at(pos, Byte.BYTES));
  }

  @Override
  public void readBytes(long pos, byte[] b, int offset, int len) throws IOException {
    long inBlocks = at(pos, len);
    for (int done = 0; done < len; ) {
      byte[] from = blocks[index(inBlocks + done)];
      int first = offset(inBlocks + done);
      int count = Math.min(len - done, from.length - first);
      System.arraycopy(from, first, b, offset + done, count);
      done += count;
    }
  }

  @Override
  public short readShort(long pos) throws IOException {
    long inBlocks = at(pos, Short.BYTES);
    byte[] from = blocks[index(inBlocks)];
    int first = offset(inBlocks);
    return first <= from.length - Short.BYTES
        ? (short) BitUtil.VH_LE_SHORT.get(from, first)
        : (short) acrossBlocks(inBlocks, Short.BYTES);
  }

  @Override
  public int readInt(long pos) throws IOException {
    long inBlocks = at(pos, Integer.BYTES);
    byte[] from = blocks[index(inBlocks)];
    int first = offset(inBlocks);
    return first <= from.length - Integer.BYTES
        ? (int) BitUtil.VH_LE_INT.get(from, first)
        : (int) acrossBlocks(inBlocks, Integer.BYTES);
  }

  @Override
  public long readLong(long pos) throws IOException {
    long inBlocks = at(pos, Long.BYTES);
    byte[] from = blocks[index(inBlocks)];
    int first = offset(inBlocks);
    return first <= from.length - Long.BYTES
        ? (long) BitUtil.VH_LE_LONG.get(from, first)
        : acrossBlocks(inBlocks, Long.BYTES);
  }

  private long acrossBlocks(long inBlocks, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = value << Byte.SIZE | byteAt(inBlocks + i) & 0xff;
    }
    return value;
  }

  private byte byteAt(long inBlocks) {
    return blocks[index(inBlocks)][offset(inBlocks)];
  }

  private int index(long inBlocks) {
    return (int) (inBlocks >>> shift);
  }

  private int offset(long inBlocks) {
    return (int) (inBlocks & (1L << shift) - 1);
  }

  /** The position in the blocks of the next {@code count} bytes from {@code pos}. */
  private long at(long pos, int count) throws IOException {
    ensureOpen();
    if (pos < 0 || count > length - pos) {
      throw pastTheEnd("read of " + count + " bytes at " + pos);
    }
    return start + pos;
  }

  /** Moves to a valid position; the end of the file belongs to the last block. */
  private void goTo(long pos) {
    long inBlocks = start + pos;
    int index = index(pos == length && pos > 0 ? inBlocks - 1 : inBlocks);
    block = index < blocks.length ? blocks[index] : NOTHING;
    long first = (long) index << shift;
    blockStart = first - start;
    at = (int) (inBlocks - first);
    end = (int) Math.min(block.length, start + length - first);
  }

  private void nextBlock(int count) throws IOException {
    requireLeft(count);
    goTo(blockStart + at);
  }

  /** Keeps slices from reading beyond their bounds. */
  private void requireLeft(int count) throws IOException {
    ensureOpen();
    long position = blockStart + at;
    if (count > length - position) {
      throw pastTheEnd("read of " + count + " bytes at " + position);
    }
  }

  private void ensureOpen() {
    if (blocks == null) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  private EOFException pastTheEnd(String what) {
    return new EOFException(what + " is past EOF, " + length + " bytes: " + this);
  }
}
