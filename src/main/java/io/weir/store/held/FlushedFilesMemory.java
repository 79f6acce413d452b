package io.weir.store.held;

import io.weir.store.FlushedFilesSnapshot;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The heap for the files of one {@link io.weir.store.FlushedFilesDirectory}, within its own limit
 * and that of the process; and its counts.
 *
 * <p><b>Threads:</b> any; nothing blocks. The figures are exact, but not read atomically.
 */
public final class FlushedFilesMemory {

  private final long maxHeldBytes;
  private final ProcessMemory memory;
  private final HeapCopy.Allocator allocator;
  private final AtomicLong heldBytes = new AtomicLong();
  private final LongAdder written = new LongAdder();
  private final LongAdder spilled = new LongAdder();
  private final LongAdder unwritten = new LongAdder();

  public FlushedFilesMemory(long maxHeldBytes, ProcessMemory memory, HeapCopy.Allocator allocator) {
    this.maxHeldBytes = maxHeldBytes;
    this.memory = memory;
    this.allocator = allocator;
  }

  /** A block of a file with its room reserved; null if there is no room or no heap. */
  public byte[] allocate(String name, int bytes) {
    if (heldBytes.addAndGet(bytes) > maxHeldBytes) {
      heldBytes.addAndGet(-bytes);
      return null;
    }
    boolean reserved = false;
    try {
      reserved = memory.reserve(name, bytes);
    } finally {
      if (!reserved) {
        heldBytes.addAndGet(-bytes);
      }
    }
    if (!reserved) {
      return null;
    }
    try {
      return allocator.allocate(bytes);
    } catch (OutOfMemoryError e) {
      release(bytes);
      return null;
    }
  }

  /** The first bytes of a block, in an array of that length if there is heap for it. */
  byte[] trim(byte[] block, int bytes) {
    try {
      byte[] exact = allocator.allocate(bytes);
      System.arraycopy(block, 0, exact, 0, bytes);
      release(block.length - bytes);
      return exact;
    } catch (OutOfMemoryError e) {
      return block;
    }
  }

  /** Releases room. */
  public void release(long bytes) {
    if (bytes > 0) {
      heldBytes.addAndGet(-bytes);
      memory.release(bytes);
    }
  }

  /** Counts a held file that is on the disk now. */
  public void written() {
    written.increment();
  }

  /** Counts a file that went to the disk while it was written. */
  public void spilled() {
    spilled.increment();
  }

  /** Counts a held file that was deleted. */
  public void unwritten() {
    unwritten.increment();
  }

  public FlushedFilesSnapshot snapshot(long heldFiles) {
    return new FlushedFilesSnapshot(
        heldBytes.get(), heldFiles, written.sum(), spilled.sum(), unwritten.sum());
  }
}
