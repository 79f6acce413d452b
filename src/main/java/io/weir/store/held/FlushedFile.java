package io.weir.store.held;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Objects;
import java.util.zip.CRC32;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.IOUtils;

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

  /**
   * The size of all blocks but the last: a power of two. Most files of a small flush are smaller.
   */
  public static final int BLOCK_BYTES = 8 << 10;

  /** Held while the file is written to the disk, and while the directory drops it. */
  public final Object disk = new Object();

  private final String name;
  private final IOContext context;
  private final HeldMemory memory;

  // All guarded by this.
  private byte[][] blocks; // null while it is being written, and once it is released
  private long heldBytes; // of the blocks
  private long length;
  private int references = 1; // that of the directory, and one of each open input

  /** A file that is still to be written, with {@link Output}. */
  public FlushedFile(String name, IOContext context, HeldMemory memory) {
    this.name = name;
    this.context = context;
    this.memory = memory;
  }

  /** The name of the file. */
  public String name() {
    return name;
  }

  /** How the file was created, and is created on the disk. */
  public IOContext context() {
    return context;
  }

  /** Ends the writing. The blocks have room, which is released if the file was dropped. */
  private synchronized void finish(byte[][] written, long writtenBytes, long newLength) {
    if (references > 0) {
      blocks = written;
      heldBytes = writtenBytes;
      length = newLength;
    } else {
      memory.release(writtenBytes);
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
        new HeapIndexInput("FlushedFile(" + name + ")", blocks, BLOCK_BYTES, length, this::release);
    references++;
    return input;
  }

  /** Writes all bytes of a finished file to {@code out}, which may wait. */
  public void copyTo(IndexOutput out) throws IOException {
    byte[][] all;
    long bytes;
    synchronized (this) {
      requireFinished();
      all = blocks;
      bytes = length;
    }
    long left = bytes;
    for (int i = 0; left > 0; i++) {
      int count = (int) Math.min(all[i].length, left);
      out.writeBytes(all[i], 0, count);
      left -= count;
    }
  }

  /** Gives up one reference. */
  public synchronized void release() {
    references--;
    if (references == 0 && blocks != null) {
      memory.release(heldBytes);
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

  /** Where the file goes. */
  public interface Destination {

    /** Creates the file in the directory below; from now on it is there. */
    IndexOutput spill(FlushedFile file) throws IOException;

    /** Drops an incomplete file. */
    void drop(FlushedFile file);
  }

  /**
   * An output to memory, until the file becomes too long or there is no more room. Then all its
   * bytes go to an output of the directory below, and so do all later ones.
   *
   * <p><b>Threads:</b> one at a time, as any output.
   *
   * <p><b>Ownership:</b> closes the output below, if there is one, even after a failure.
   *
   * <p><b>Failure:</b> exceptions of the directory below. After a failed write the file is
   * incomplete. Then no later write of a full block succeeds, and the checksum and {@link #close}
   * fail.
   */
  public static final class Output extends IndexOutput {

    private final FlushedFile file;
    private final Destination destination;
    private final HeldMemory memory;
    private final long maxBytes;
    private final CRC32 checksum = new CRC32();
    private final ArrayList<byte[]> full = new ArrayList<>(); // empty once there is an output below
    private byte[] block;
    private int end; // of what may be used of the block
    private int at;
    private int summed; // bytes of the block that the checksum includes
    private long passed; // bytes before the block
    private IndexOutput below; // null while the file is in memory
    private Throwable failure;
    private boolean closed;

    /** An output whose first block is allocated. */
    public Output(
        FlushedFile file, Destination destination, HeldMemory memory, long maxBytes, byte[] first) {
      super("FlushedFileOutput(" + file.name() + ")", file.name());
      this.file = file;
      this.destination = destination;
      this.memory = memory;
      this.maxBytes = maxBytes;
      this.block = first;
      this.end = (int) Math.min(BLOCK_BYTES, maxBytes);
    }

    @Override
    public void writeByte(byte b) throws IOException {
      if (at == end) {
        nextBlock();
      }
      block[at++] = b;
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, b.length);
      int done = 0;
      while (done < length) {
        if (at == end) {
          nextBlock();
        }
        if (below != null && at == 0 && length - done >= BLOCK_BYTES) {
          pass(b, offset + done, length - done);
          return;
        }
        int count = Math.min(length - done, end - at);
        System.arraycopy(b, offset + done, block, at, count);
        at += count;
        done += count;
      }
    }

    @Override
    public void writeShort(short i) throws IOException {
      if (end - at < Short.BYTES) {
        super.writeShort(i);
      } else {
        BitUtil.VH_LE_SHORT.set(block, at, i);
        at += Short.BYTES;
      }
    }

    @Override
    public void writeInt(int i) throws IOException {
      if (end - at < Integer.BYTES) {
        super.writeInt(i);
      } else {
        BitUtil.VH_LE_INT.set(block, at, i);
        at += Integer.BYTES;
      }
    }

    @Override
    public void writeLong(long i) throws IOException {
      if (end - at < Long.BYTES) {
        super.writeLong(i);
      } else {
        BitUtil.VH_LE_LONG.set(block, at, i);
        at += Long.BYTES;
      }
    }

    @Override
    public long getFilePointer() {
      return passed + at;
    }

    @Override
    public long getChecksum() throws IOException {
      requireWhole();
      if (below != null) {
        passBlock();
        return below.getChecksum();
      }
      sum();
      return checksum.getValue();
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      if (below != null) {
        try {
          requireWhole();
          passBlock();
        } catch (Throwable t) {
          IOUtils.closeWhileHandlingException(below);
          throw t;
        }
        below.close();
      } else if (failure != null) {
        destination.drop(file);
        requireWhole();
      } else {
        finish();
      }
    }

    /** Hands the bytes over to the file, the last block without what it does not use. */
    private void finish() {
      long length = passed + at;
      long room = (long) BLOCK_BYTES * (full.size() + 1);
      boolean finished = false;
      try {
        byte[] last = at == BLOCK_BYTES ? block : memory.trim(block, at);
        room -= BLOCK_BYTES - last.length;
        full.add(last);
        file.finish(full.toArray(byte[][]::new), room, length);
        finished = true;
      } finally {
        if (!finished) { // there is no heap
          destination.drop(file);
          memory.release(room);
        }
      }
    }

    /** Makes an empty block the current one, in memory or after passing the full one on. */
    private void nextBlock() throws IOException {
      requireWhole();
      if (below != null) {
        passBlock();
        return;
      }
      boolean mayGrow = passed + at < maxBytes;
      full.ensureCapacity(full.size() + 1); // or a block with room would be lost
      byte[] next = mayGrow ? memory.allocate(getName(), BLOCK_BYTES) : null;
      if (next == null) {
        spill();
        return;
      }
      sum();
      full.add(block);
      passed += BLOCK_BYTES;
      block = next;
      end = (int) Math.min(BLOCK_BYTES, maxBytes - passed);
      at = 0;
      summed = 0;
    }

    /** Writes what is in memory to the directory below, and releases its room. */
    private void spill() throws IOException {
      long room = (long) BLOCK_BYTES * (full.size() + 1);
      try {
        below = destination.spill(file);
        for (byte[] each : full) {
          below.writeBytes(each, 0, BLOCK_BYTES);
        }
        passBlock();
      } catch (Throwable t) {
        failure = t;
        throw t;
      } finally {
        full.clear(); // the current block stays, as a buffer
        memory.release(room);
      }
      end = BLOCK_BYTES;
    }

    private void passBlock() throws IOException {
      int length = at;
      at = 0;
      pass(block, 0, length);
    }

    private void pass(byte[] b, int offset, int length) throws IOException {
      requireWhole();
      passed += length;
      try {
        below.writeBytes(b, offset, length);
      } catch (Throwable t) {
        failure = t;
        throw t;
      }
    }

    private void sum() {
      checksum.update(block, summed, at - summed);
      summed = at;
    }

    private void requireWhole() throws IOException {
      if (failure != null) {
        throw new IOException("an earlier write to " + getName() + " failed", failure);
      }
    }
  }
}
