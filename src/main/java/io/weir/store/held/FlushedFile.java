package io.weir.store.held;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * A file of a {@link io.weir.store.FlushedFilesDirectory} that is not on the disk.
 *
 * <p>Its room is released when the directory has dropped it and every input is closed.
 *
 * <p><b>Threads:</b> any. A lock of its own guards its state, and is never held during a call to
 * the disk: opening and closing it do not wait. Another lock, {@link #disk}, is taken before that
 * one.
 */
public final class FlushedFile {

  /** Held while the file is written to the disk, and while the directory drops it. */
  public final Object disk = new Object();

  private final String name;
  private final IOContext context;
  private final FlushedFilesMemory memory;

  // All guarded by this.
  private HeapBlocks blocks; // null while it is being written, and once it is released
  private long length;
  private int references = 1; // that of the directory, and one of each open input

  public FlushedFile(String name, IOContext context, FlushedFilesMemory memory) {
    this.name = name;
    this.context = context;
    this.memory = memory;
  }

  public String name() {
    return name;
  }

  /** How the file was created, and is created on the disk. */
  public IOContext context() {
    return context;
  }

  /** Ends the writing. The blocks have room, which is released if the file was dropped. */
  synchronized void finish(HeapBlocks written, long newLength) {
    if (references > 0) {
      blocks = written;
      length = newLength;
    } else {
      memory.release(written.bytes());
    }
  }

  /** The length; 0 while it is being written. */
  public synchronized long length() {
    return length;
  }

  /**
   * Opens the file; null if it was released, because the directory has dropped it.
   *
   * @throws AccessDeniedException if it is still being written
   */
  public synchronized IndexInput open() throws IOException {
    if (references == 0) {
      return null;
    }
    requireFinished();
    IndexInput input =
        new HeapIndexInput("FlushedFile(" + name + ")", blocks, length, this::release);
    references++;
    return input;
  }

  /** Writes all bytes of a finished file to {@code out}, which may wait. */
  public void copyTo(IndexOutput out) throws IOException {
    HeapBlocks all;
    long bytes;
    synchronized (this) {
      requireFinished();
      all = blocks;
      bytes = length;
    }
    for (long done = 0; done < bytes; ) {
      byte[] block = all.blockFrom(done);
      int count = (int) Math.min(block.length, bytes - done);
      out.writeBytes(block, 0, count);
      done += count;
    }
  }

  /** Gives up one reference. */
  public synchronized void release() {
    references--;
    if (references == 0 && blocks != null) {
      memory.release(blocks.bytes());
      blocks = null;
    }
  }

  /**
   * Refuses a file that is still being written.
   *
   * @throws AccessDeniedException if it is
   */
  public synchronized void requireFinished() throws AccessDeniedException {
    if (blocks == null) {
      throw new AccessDeniedException(name, null, "the file is still open for writing");
    }
  }
}
