package io.weir.store;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.IndexInput;

/** A file in memory as it was opened, which tells when it is closed. */
final class ResidentInput extends PassingInput {

  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();

  ResidentInput(IndexInput in, Runnable onClose) {
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
