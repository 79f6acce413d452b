package io.weir.store;

import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.SliceHint;
import io.weir.store.reads.UnmapQueue;
import java.io.IOException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * A mapped file that another thread unmaps after it is closed. Only the opened input is of this
 * class; clones and slices are the file's own.
 *
 * <p><b>Threads:</b> one at a time, as any input; {@link #close} by any.
 */
final class DeferredUnmapInput extends ForwardingIndexInput {

  private final UnmapQueue.Owner mappings;
  private boolean closed;

  DeferredUnmapInput(IndexInput in, UnmapQueue.Owner mappings) {
    super(in);
    this.mappings = mappings;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      mappings.close(in);
    }
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  @Override
  public byte readByte() throws IOException {
    ensureOpen();
    return in.readByte();
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int length) throws IOException {
    ensureOpen();
    in.readBytes(bytes, offset, length);
  }

  @Override
  public void seek(long position) throws IOException {
    ensureOpen();
    in.seek(position);
  }

  @Override
  public IndexInput clone() {
    ensureOpen();
    return super.clone();
  }

  @Override
  protected IndexInput slice(String name, long offset, long length, SliceHint hint)
      throws IOException {
    ensureOpen();
    return super.slice(name, offset, length, hint);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    ensureOpen();
    return super.randomAccessSlice(offset, length);
  }
}
