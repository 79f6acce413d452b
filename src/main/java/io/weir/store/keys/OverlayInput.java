package io.weir.store.keys;

import io.weir.lucene.FileRange;
import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.SliceHint;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * A file with ranges of its bytes on the heap. Its clones and slices read these there, and all
 * other bytes from the file; while nothing is on the heap, they are those of the file. Reads of
 * this input itself, when Lucene opens a segment, go to the file.
 *
 * <p><b>Threads:</b> one, as any input; other threads take a clone or a slice. <b>Ownership:</b>
 * closing it closes the file, and calls {@code onClose} once. Clones and slices need not be closed.
 */
public final class OverlayInput extends ForwardingIndexInput {

  /**
   * A range of a file that is on the heap.
   *
   * @param copy its bytes, to clone
   */
  record Part(FileRange range, IndexInput copy) {}

  /**
   * What is on the heap of a file.
   *
   * @param parts ascending; they do not overlap
   * @param isWhole whether the one part is all of the file
   */
  record Held(List<Part> parts, boolean isWhole) {

    /** All of a file. */
    static Held whole(IndexInput copy) {
      return new Held(List.of(new Part(FileRange.ofFile(copy.length()), copy)), true);
    }

    /** Parts of a file, as they are described above. */
    static Held of(List<Part> parts) {
      return new Held(List.copyOf(parts), false);
    }

    /**
     * The file, to clone or slice, and not to read.
     *
     * @param file what the parts were copied from; clones of it are read where there is no part
     */
    IndexInput over(IndexInput file) {
      return isWhole ? parts.getFirst().copy() : new Mixed(file, parts, 0);
    }
  }

  private final Supplier<Held> held; // returns null while there is nothing
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();

  OverlayInput(IndexInput file, Supplier<Held> held, Runnable onClose) {
    super(file);
    this.held = held;
    this.onClose = onClose;
  }

  @Override
  public IndexInput clone() {
    Held now = held.get();
    if (now == null) {
      return in.clone();
    }
    IndexInput clone = now.over(in).clone();
    try {
      clone.seek(in.getFilePointer());
    } catch (IOException e) {
      throw new AssertionError("the copy is as long as the file: " + this, e);
    }
    return clone;
  }

  @Override
  protected IndexInput slice(String name, long offset, long length, SliceHint hint)
      throws IOException {
    Held now = held.get();
    return now == null
        ? super.slice(name, offset, length, hint)
        : now.over(in).slice(name, offset, length);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    Held now = held.get();
    return now == null
        ? in.randomAccessSlice(offset, length)
        : now.over(in).randomAccessSlice(offset, length);
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (closed.compareAndSet(false, true)) {
        onClose.run();
      }
    }
  }

  /**
   * A clone or slice of a file of which some parts are on the heap. It goes from part to part, and
   * between parts to the file. The file is not touched as long as reads stay within a part.
   */
  private static final class Mixed extends ForwardingIndexInput {

    private final List<Part> parts;
    private final long start; // of this slice in the file

    /** What is read now: {@code in}, or a clone of a part; it stands where this input does. */
    private IndexInput current;

    private Part currentPart; // null while the file is read
    private long currentStart; // of what is read, in this slice
    private long leftBytes; // until another is read; 0 when it is to be found

    /**
     * From where {@code in} stands.
     *
     * @param in the slice of the file
     */
    Mixed(IndexInput in, List<Part> parts, long start) {
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
        Mixed clone = new Mixed(in.clone(), parts, start);
        clone.goTo(getFilePointer());
        return clone;
      } catch (IOException e) {
        throw new AssertionError("this position is one of the file: " + this, e);
      }
    }

    @Override
    protected IndexInput slice(String name, long offset, long length, SliceHint hint)
        throws IOException {
      return new Mixed(super.slice(name, offset, length, hint), parts, start + offset);
    }

    /** Nothing to do where the file is not read. */
    @Override
    public void prefetch(long offset, long length) throws IOException {
      for (Part part : parts) {
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
      for (Part part : parts) {
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
}
