package io.weir.store;

import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BitUtil;

/**
 * A file as an array of bytes, or a part of it.
 *
 * <p><b>Threads:</b> one; each other takes a clone or a slice. <b>Ownership:</b> only closing what
 * was opened tells {@code onClose}, and does so once. Clones and slices share the array, which goes
 * with the last of them, and can be read after that.
 */
final class ArrayIndexInput extends IndexInput implements RandomAccessInput {

  private final int start;
  private final int length;
  private byte[] bytes; // null once closed
  private int position; // from start
  private Runnable onClose; // null once told, and in clones and slices

  /** All of {@code bytes}. */
  ArrayIndexInput(String description, byte[] bytes, Runnable onClose) {
    this(description, bytes, 0, bytes.length, onClose);
  }

  private ArrayIndexInput(
      String description, byte[] bytes, int start, int length, Runnable onClose) {
    super(description);
    this.bytes = bytes;
    this.start = start;
    this.length = length;
    this.onClose = onClose;
  }

  @Override
  public void close() {
    bytes = null;
    Runnable told = onClose;
    onClose = null;
    if (told != null) {
      told.run();
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public long getFilePointer() {
    ensureOpen();
    return position;
  }

  @Override
  public void seek(long pos) throws IOException {
    ensureOpen();
    if (pos < 0 || pos > length) {
      throw pastTheEnd("seek to " + pos);
    }
    position = (int) pos;
  }

  @Override
  public void skipBytes(long numBytes) throws IOException {
    if (numBytes < 0) {
      throw new IllegalArgumentException("numBytes must be at least 0 bytes: " + numBytes);
    }
    seek(position + numBytes);
  }

  @Override
  public IndexInput clone() {
    ensureOpen();
    ArrayIndexInput clone = (ArrayIndexInput) super.clone();
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
    return new ArrayIndexInput(
        getFullSliceDescription(description), bytes, start + (int) offset, (int) length, null);
  }

  /** It lies on the heap. */
  @Override
  public Optional<Boolean> isLoaded() {
    return Optional.of(true);
  }

  @Override
  public byte readByte() throws IOException {
    return bytes()[advance(Byte.BYTES)];
  }

  @Override
  public void readBytes(byte[] b, int offset, int len) throws IOException {
    System.arraycopy(bytes(), advance(len), b, offset, len);
  }

  @Override
  public short readShort() throws IOException {
    return (short) BitUtil.VH_LE_SHORT.get(bytes(), advance(Short.BYTES));
  }

  @Override
  public int readInt() throws IOException {
    return (int) BitUtil.VH_LE_INT.get(bytes(), advance(Integer.BYTES));
  }

  @Override
  public long readLong() throws IOException {
    return (long) BitUtil.VH_LE_LONG.get(bytes(), advance(Long.BYTES));
  }

  @Override
  public byte readByte(long pos) throws IOException {
    return bytes()[at(pos, Byte.BYTES)];
  }

  @Override
  public void readBytes(long pos, byte[] b, int offset, int len) throws IOException {
    System.arraycopy(bytes(), at(pos, len), b, offset, len);
  }

  @Override
  public short readShort(long pos) throws IOException {
    return (short) BitUtil.VH_LE_SHORT.get(bytes(), at(pos, Short.BYTES));
  }

  @Override
  public int readInt(long pos) throws IOException {
    return (int) BitUtil.VH_LE_INT.get(bytes(), at(pos, Integer.BYTES));
  }

  @Override
  public long readLong(long pos) throws IOException {
    return (long) BitUtil.VH_LE_LONG.get(bytes(), at(pos, Long.BYTES));
  }

  /** Where in the array the next {@code count} bytes are, which are then behind. */
  private int advance(int count) throws IOException {
    int at = at(position, count);
    position += count;
    return at;
  }

  /** Where in the array they are; slices must not see what lies around them. */
  private int at(long pos, int count) throws IOException {
    if (pos < 0 || count > length - pos) {
      throw pastTheEnd("read of " + count + " bytes at " + pos);
    }
    return start + (int) pos;
  }

  private byte[] bytes() {
    byte[] open = bytes;
    if (open == null) {
      throw closed();
    }
    return open;
  }

  private void ensureOpen() {
    bytes();
  }

  private AlreadyClosedException closed() {
    return new AlreadyClosedException("Already closed: " + this);
  }

  private EOFException pastTheEnd(String what) {
    return new EOFException(what + " is past EOF, " + length + " bytes: " + this);
  }
}
