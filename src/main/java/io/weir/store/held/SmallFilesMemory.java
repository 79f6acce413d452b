package io.weir.store.held;

import io.weir.store.SmallFilesSnapshot;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The heap for the open files of one {@link io.weir.store.SmallFilesDirectory}, within its own
 * limit and that of the process.
 *
 * <p><b>Threads:</b> any; nothing blocks. The figures are exact, but not read atomically.
 */
public final class SmallFilesMemory {

  private final long maxHeldBytes;
  private final ProcessMemory memory;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong heldFiles = new AtomicLong();
  private final LongAdder readFiles = new LongAdder();
  private final LongAdder refusedFiles = new LongAdder();

  public SmallFilesMemory(long maxHeldBytes, ProcessMemory memory) {
    this.maxHeldBytes = maxHeldBytes;
    this.memory = memory;
  }

  /** Reserves room for a file; returns false and counts the refusal if there is none. */
  public boolean reserve(String name, long bytes) {
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

  /** Counts a file that was read. */
  public void read() {
    readFiles.increment();
  }

  /** Releases the room of a file. */
  public void release(long bytes) {
    heldBytes.addAndGet(-bytes);
    heldFiles.decrementAndGet();
    memory.release(bytes);
  }

  /** Releases the room of a file whose allocation failed, and counts the refusal. */
  public void refused(long bytes) {
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

  public SmallFilesSnapshot snapshot() {
    return new SmallFilesSnapshot(
        heldBytes.get(), heldFiles.get(), readFiles.sum(), refusedFiles.sum());
  }
}
