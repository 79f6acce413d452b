package io.weir.store.keys;

import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.SliceHint;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * A dictionary file whose clones and slices read from memory while there is a copy, and from the
 * file otherwise. Reads of this input itself, when Lucene opens a segment, go to the file.
 *
 * <p><b>Threads:</b> one, as any input; other threads take a clone or a slice. <b>Ownership:</b>
 * closing it closes the file, and calls {@code onClose} once.
 */
public final class ResidentInput extends ForwardingIndexInput {

  private final Supplier<IndexInput> copy; // returns null while there is none
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();

  ResidentInput(IndexInput in, Supplier<IndexInput> copy, Runnable onClose) {
    super(in);
    this.copy = copy;
    this.onClose = onClose;
  }

  @Override
  public IndexInput clone() {
    IndexInput held = copy.get();
    if (held == null) {
      return in.clone();
    }
    IndexInput clone = held.clone();
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
    IndexInput held = copy.get();
    return held == null
        ? super.slice(name, offset, length, hint)
        : held.slice(name, offset, length);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    IndexInput held = copy.get();
    return held == null
        ? in.randomAccessSlice(offset, length)
        : held.randomAccessSlice(offset, length);
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
}
