package io.weir.store.held;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The heap that one directory may use to hold files: a lease, with a limit of its own, within the
 * {@link ProcessMemory} for files of that kind. Room is reserved here first and then in the
 * process; where the process or the heap has none, what was reserved here is given back.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Ownership:</b> who reserved room releases it.
 * <b>Failure:</b> a lack of heap is a lack of room; no method throws for it.
 */
public final class HeldMemory {

  /** Allocates on the heap; a seam for tests. */
  @FunctionalInterface
  public interface Allocator {
    /** As {@code new byte[bytes]}. */
    byte[] allocate(int bytes);
  }

  private final long maxBytes;
  private final ProcessMemory process;
  private final Allocator allocator;
  private final AtomicLong bytes = new AtomicLong();

  /**
   * A lease with nothing reserved.
   *
   * @param maxBytes its own limit
   */
  public HeldMemory(long maxBytes, ProcessMemory process, Allocator allocator) {
    this.maxBytes = maxBytes;
    this.process = process;
    this.allocator = allocator;
  }

  /**
   * Refuses limits out of range; both may be 0, which is off.
   *
   * @param options the name of the options that have these limits
   * @param maxFileBytes the longest file to hold
   * @param mostFileBytes the largest value of {@code maxFileBytes}
   * @param maxHeldBytes the limit for all files of a directory
   */
  public static void requireLimits(
      String options, long maxFileBytes, long mostFileBytes, long maxHeldBytes) {
    if (maxFileBytes == 0 && maxHeldBytes == 0) {
      return;
    }
    if (maxFileBytes < 1 || maxFileBytes > mostFileBytes) {
      throw new IllegalArgumentException(
          "maxFileBytes must be from 1 to %d bytes (for none use %s.OFF): %d"
              .formatted(mostFileBytes, options, maxFileBytes));
    }
    if (maxHeldBytes < maxFileBytes) {
      throw new IllegalArgumentException(
          "maxHeldBytes must be at least maxFileBytes, %d bytes: %d"
              .formatted(maxFileBytes, maxHeldBytes));
    }
  }

  /** The bytes that are reserved now. */
  public long bytes() {
    return bytes.get();
  }

  /** Room within the limit of this lease. */
  public long roomBytes() {
    return maxBytes - bytes.get();
  }

  /** The limit of this lease, or that of the process if it is lower. */
  public long maxBytes() {
    return Math.min(maxBytes, process.maxBytes());
  }

  /**
   * Reserves room for bytes that are allocated at once; false if there is none.
   *
   * @param name of the file, for the log
   */
  public boolean reserve(String name, long newBytes) {
    if (!reserveHere(newBytes, held -> {})) {
      return false;
    }
    boolean reserved = false;
    try {
      reserved = process.reserve(name, newBytes);
      return reserved;
    } finally {
      if (!reserved) {
        bytes.addAndGet(-newBytes);
      }
    }
  }

  /** An array with its room reserved; null if there is no room or no heap. */
  public byte[] allocate(String name, int length) {
    if (!reserve(name, length)) {
      return null;
    }
    try {
      return allocator.allocate(length);
    } catch (OutOfMemoryError e) {
      release(length);
      return null;
    }
  }

  /** The first bytes of an array, in one of that length if there is heap for it. */
  public byte[] trim(byte[] array, int length) {
    try {
      byte[] exact = allocator.allocate(length);
      System.arraycopy(array, 0, exact, 0, length);
      release(array.length - length);
      return exact;
    } catch (OutOfMemoryError e) {
      return array;
    }
  }

  /** Releases room that {@link #reserve} or {@link #allocate} has reserved. */
  public void release(long heldBytes) {
    if (heldBytes > 0) {
      bytes.addAndGet(-heldBytes);
      process.release(heldBytes);
    }
  }

  /**
   * Reserves room for bytes that are read one after the other.
   *
   * @param name of the file, for the log
   * @param newBytes that count here, until {@link #ended}
   * @param heapBytes those of them that need heap of the process
   * @param refused accepts the bytes in use if the limit of this lease refuses them
   * @return what was reserved in the process; null if there is no room
   */
  public ProcessMemory.Reservation reservation(
      String name, long newBytes, long heapBytes, LongConsumer refused) {
    if (!reserveHere(newBytes, refused)) {
      return null;
    }
    ProcessMemory.Reservation heap = null;
    try {
      heap = process.reservation(name, heapBytes);
      return heap;
    } finally {
      if (heap == null) {
        bytes.addAndGet(-newBytes);
      }
    }
  }

  /** The bytes of a reservation count no more; its owner has ended it in the process. */
  public void ended(long heldBytes) {
    bytes.addAndGet(-heldBytes);
  }

  private boolean reserveHere(long newBytes, LongConsumer refused) {
    long held = bytes.get();
    while (newBytes <= maxBytes - held) {
      if (bytes.compareAndSet(held, held + newBytes)) {
        return true;
      }
      held = bytes.get();
    }
    refused.accept(held);
    return false;
  }
}
