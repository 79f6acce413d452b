package io.weir.store.keys;

import io.weir.lucene.FileRange;
import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.SliceHint;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * A clone or slice of a file that reads some parts of it from the heap.
 *
 * <p>It goes from part to part, and between parts to the file. The file is not touched as long as
 * reads stay within a part.
 *
 * <p><b>Threads:</b> one, as any clone. <b>Ownership:</b> as any clone, it need not be closed.
 */
final class PartlyHeldInput extends ForwardingIndexInput {

  private final List<HeldPart> parts;
  private final long start; // of this slice in the file

  /** What is read now: {@code in}, or a clone of a part; it stands where this input does. */
  private IndexInput current;

  private HeldPart currentPart; // null while the file is read
  private long currentStart; // of what is read, in this slice
  private long leftBytes; // until another is read; 0 when it is to be found

  /** All of the file, where {@code in} stands. */
  PartlyHeldInput(IndexInput in, List<HeldPart> parts) {
    this(in, parts, 0);
  }

  private PartlyHeldInput(IndexInput in, List<HeldPart> parts, long start) {
    super(in);
    this.parts = parts;
    this.start = start;
    this.current = in;
  }

  @Override
  public long getFilePointer() {
    return currentStart + current.getFilePointer();
  }

  @Override
  public void seek(long position) throws IOException {
    if (position < 0 || position > length()) {
      in.seek(position); // which says what is wrong
    }
    goTo(position);
  }

  @Override
  public byte readByte() throws IOException {
    if (leftBytes == 0) {
      goTo(getFilePointer());
    }
    byte value = current.readByte();
    leftBytes--;
    return value;
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (leftBytes == 0) {
        goTo(getFilePointer());
      }
      // At the end of the file the file itself says that nothing is left.
      int count = leftBytes == 0 ? length - done : (int) Math.min(leftBytes, length - done);
      current.readBytes(bytes, offset + done, count);
      done += count;
      leftBytes -= count;
    }
  }

  @Override
  public IndexInput clone() {
    try {
      PartlyHeldInput clone = new PartlyHeldInput(in.clone(), parts, start);
      clone.goTo(getFilePointer());
      return clone;
    } catch (IOException e) {
      throw new AssertionError("this position is one of the file: " + this, e);
    }
  }

  @Override
  protected IndexInput slice(String name, long offset, long length, SliceHint hint)
      throws IOException {
    return new PartlyHeldInput(super.slice(name, offset, length, hint), parts, start + offset);
  }

  /** Nothing to do where the file is not read. */
  @Override
  public void prefetch(long offset, long length) throws IOException {
    for (HeldPart part : parts) {
      FileRange range = part.range();
      if (range.start() <= start + offset && start + offset + length <= range.end()) {
        return;
      }
    }
    super.prefetch(offset, length);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    return in.randomAccessSlice(offset, length);
  }

  /** To a position of this slice, its end included. */
  private void goTo(long position) throws IOException {
    long inFile = start + position;
    long next = Long.MAX_VALUE; // the start of the next part
    for (HeldPart part : parts) {
      FileRange range = part.range();
      if (inFile < range.start()) {
        next = range.start();
        break;
      }
      if (inFile < range.end() && position < length()) {
        if (part != currentPart) { // lookups go from block to block of one part
          current = part.copy().clone();
          currentPart = part;
          currentStart = range.start() - start;
        }
        current.seek(inFile - range.start());
        leftBytes = Math.min(range.end() - inFile, length() - position);
        return;
      }
    }
    in.seek(position);
    current = in;
    currentPart = null;
    currentStart = 0;
    leftBytes = Math.min(next - inFile, length() - position);
  }
}
