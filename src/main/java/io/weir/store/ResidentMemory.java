package io.weir.store;

import io.weir.store.held.ProcessMemory;
import org.apache.lucene.util.Accountable;

/**
 * The heap of this process that Weir uses to hold files in memory. All directories share it, so its
 * limit holds for any number of indexes.
 *
 * <p>There are three instances: for key dictionaries, for small files, and for the files of
 * flushes. So large dictionaries never take the room of small files, which every reopen needs.
 * Files without room stay on the disk and are read as without Weir; the first case is logged.
 *
 * <p>A request is refused if it exceeds {@link #maxBytes}, or if less than a quarter of the maximum
 * heap would stay free for the application.
 *
 * <p>Bytes that were read for nothing, because the JVM reclaimed them soon, make the process wait
 * before it reads dictionaries again: four seconds for each MiB, at most ten minutes. A higher
 * limit, or much more room in the heap, ends the wait.
 *
 * <p><b>Threads:</b> any; nothing blocks.
 */
public final class ResidentMemory implements Accountable {

  private static final ResidentMemory KEYS = new ResidentMemory(ProcessMemory.KEYS);
  private static final ResidentMemory SMALL_FILES = new ResidentMemory(ProcessMemory.SMALL_FILES);
  private static final ResidentMemory FLUSHED_FILES =
      new ResidentMemory(ProcessMemory.FLUSHED_FILES);

  private final ProcessMemory memory;

  private ResidentMemory(ProcessMemory memory) {
    this.memory = memory;
  }

  /** The memory for key dictionaries; the default limit is a quarter of the maximum heap. */
  public static ResidentMemory ofKeys() {
    return KEYS;
  }

  /** The memory for small files; the default limit is a sixteenth of the maximum heap. */
  public static ResidentMemory ofSmallFiles() {
    return SMALL_FILES;
  }

  /** The memory for files of flushes; the default limit is a sixteenth of the maximum heap. */
  public static ResidentMemory ofFlushedFiles() {
    return FLUSHED_FILES;
  }

  /** The limit. */
  public long maxBytes() {
    return memory.maxBytes();
  }

  /**
   * Sets the limit. After a lower limit, files beyond it stay until they are closed. After a higher
   * limit, waiting dictionaries get the additional room.
   *
   * @param maxBytes at least 0 bytes; 0 refuses all requests from now on
   */
  public void setMaxBytes(long maxBytes) {
    memory.setMaxBytes(maxBytes);
  }

  /** The bytes that are held now. */
  @Override
  public long ramBytesUsed() {
    return memory.bytes();
  }

  /** What is held now, and what was done so far. */
  public ResidentMemorySnapshot snapshot() {
    return memory.snapshot();
  }
}
