package io.weir.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much heap the open files of a {@link SmallFilesDirectory} take, within its own bound and that
 * of the process.
 *
 * <p><b>Threads:</b> any; nothing blocks. Each figure is true, but not all of them for one moment.
 */
final class SmallFilesMemory {

  private final long maxHeldBytes;
  private final ResidentMemory memory;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong heldFiles = new AtomicLong();
  private final LongAdder readFiles = new LongAdder();
  private final LongAdder refusedFiles = new LongAdder();

  SmallFilesMemory(long maxHeldBytes, ResidentMemory memory) {
    this.maxHeldBytes = maxHeldBytes;
    this.memory = memory;
  }

  /** Takes room for a file; false, and counted, when there is none. */
  boolean reserve(String name, long bytes) {
    if (reserveHere(bytes)) {
      if (memory.reserve(name, bytes)) {
        heldFiles.incrementAndGet();
        return true;
      }
      heldBytes.addAndGet(-bytes);
    }
    refusedFiles.increment();
    return false;
  }

  /** A file that has room was read. */
  void read() {
    readFiles.increment();
  }

  /** Gives the room of a file back. */
  void release(long bytes) {
    heldBytes.addAndGet(-bytes);
    heldFiles.decrementAndGet();
    memory.release(bytes);
  }

  /** A file that has room could not be read for want of heap: gives it back. */
  void refused(long bytes) {
    release(bytes);
    refusedFiles.increment();
  }

  private boolean reserveHere(long bytes) {
    long held = heldBytes.get();
    while (held + bytes <= maxHeldBytes) {
      if (heldBytes.compareAndSet(held, held + bytes)) {
        return true;
      }
      held = heldBytes.get();
    }
    return false;
  }

  SmallFilesSnapshot snapshot() {
    return new SmallFilesSnapshot(
        heldBytes.get(), heldFiles.get(), readFiles.sum(), refusedFiles.sum());
  }
}
