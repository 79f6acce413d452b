package io.weir.store;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.IndexInput;

/** A file of which each page was read when it was opened; it tells when it is closed. */
final class PreloadedIndexInput extends ForwardingIndexInput {

  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();

  PreloadedIndexInput(IndexInput in, Runnable onClose) {
    super(in);
    this.onClose = onClose;
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
