package io.weir.store;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A file in memory as it was opened, which tells when it is closed. Its clones and slices, which do
 * the reading, are Lucene's own.
 */
final class ResidentInput extends FilterIndexInput {

  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();

  ResidentInput(IndexInput in, Runnable onClose) {
    super(in.toString(), in);
    this.onClose = onClose;
  }

  @Override
  public void close() throws IOException {
    super.close();
    if (closed.compareAndSet(false, true)) {
      onClose.run();
    }
  }

  @Override
  public IndexInput clone() {
    return in.clone();
  }

  @Override
  public IndexInput slice(String description, long offset, long length, IOContext context)
      throws IOException {
    return in.slice(description, offset, length, context);
  }
}
