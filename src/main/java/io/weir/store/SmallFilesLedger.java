package io.weir.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much heap the open files of a {@link SmallFilesDirectory} take, and the bound on it.
 *
 * <p><b>Threads:</b> any; nothing blocks. Each figure is true, but not all of them for one moment.
 */
final class SmallFilesLedger {

  private final long maxHeldBytes;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong heldFiles = new AtomicLong();
  private final LongAdder readFiles = new LongAdder();
  private final LongAdder refusedFiles = new LongAdder();

  SmallFilesLedger(long maxHeldBytes) {
    this.maxHeldBytes = maxHeldBytes;
  }

  /** Takes room for a file; false, and counted, when there is none. */
  boolean reserve(long bytes) {
    long held = heldBytes.get();
    while (held + bytes <= maxHeldBytes) {
      if (heldBytes.compareAndSet(held, held + bytes)) {
        heldFiles.incrementAndGet();
        readFiles.increment();
        return true;
      }
      held = heldBytes.get();
    }
    refusedFiles.increment();
    return false;
  }

  /** Gives it back. */
  void release(long bytes) {
    heldBytes.addAndGet(-bytes);
    heldFiles.decrementAndGet();
  }

  SmallFilesSnapshot snapshot() {
    return new SmallFilesSnapshot(
        heldBytes.get(), heldFiles.get(), readFiles.sum(), refusedFiles.sum());
  }
}
