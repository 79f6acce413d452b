package io.weir.store;

import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.ThreadInterruptedException;

/**
 * An output that acquires every byte from a {@link ByteBudget} or a {@link MergeLimiter} before it
 * writes the byte.
 *
 * <p>Small writes go to a buffer. The buffer is charged as a whole when it is full, when the
 * checksum is requested, and at close. Large writes bypass the buffer, split into the granted
 * pieces. So the bytes written never exceed the bytes granted, and equal them whenever no write is
 * in progress. The output below has a buffer too, but writes of this size bypass it, so no byte is
 * copied twice.
 *
 * <p><b>Threads:</b> one at a time, as any output. Writes wait for their grant, but not for long
 * while something is closed: see {@link MergeGrants}.
 *
 * <p><b>Ownership:</b> closes the output below even after a failure.
 *
 * <p><b>Failure:</b> an interrupt while waiting throws {@link ThreadInterruptedException}. After a
 * failed write the file is incomplete. So every later write fails with the first failure as its
 * cause; at the latest the checksum or {@link #close} does. If the first failure was the abort of a
 * merge, the later ones are aborts too, because Lucene treats any other exception in a merge as
 * fatal.
 */
final class RateLimitedIndexOutput extends FilterIndexOutput {

  private static final int BUFFER_BYTES = ByteBudget.MAX_GRANT_BYTES;

  /** Grants bytes. */
  @FunctionalInterface
  interface Grants {
    /** Waits, and returns how many bytes may pass now, from 1 to {@code maxBytes}. */
    long acquire(long maxBytes) throws IOException, InterruptedException;
  }

  private final Grants grants;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int buffered;
  private Throwable failure;
  private boolean closed;

  RateLimitedIndexOutput(IndexOutput out, ByteBudget budget) {
    this(out, new MergeGrants(budget, budget.parking())::acquire);
  }

  RateLimitedIndexOutput(IndexOutput out, Grants grants) {
    super("RateLimitedIndexOutput(" + out + ")", out.getName(), out);
    this.grants = grants;
  }

  @Override
  public void writeByte(byte b) throws IOException {
    if (buffered == BUFFER_BYTES) {
      passBuffer();
    }
    buffer[buffered++] = b;
  }

  @Override
  public void writeShort(short i) throws IOException {
    makeRoom(Short.BYTES);
    BitUtil.VH_LE_SHORT.set(buffer, buffered, i);
    buffered += Short.BYTES;
  }

  @Override
  public void writeInt(int i) throws IOException {
    makeRoom(Integer.BYTES);
    BitUtil.VH_LE_INT.set(buffer, buffered, i);
    buffered += Integer.BYTES;
  }

  @Override
  public void writeLong(long i) throws IOException {
    makeRoom(Long.BYTES);
    BitUtil.VH_LE_LONG.set(buffer, buffered, i);
    buffered += Long.BYTES;
  }

  @Override
  public void writeBytes(byte[] b, int offset, int length) throws IOException {
    if (length > BUFFER_BYTES - buffered) {
      passBuffer();
      if (length >= BUFFER_BYTES) {
        pass(b, offset, length);
        return;
      }
    }
    System.arraycopy(b, offset, buffer, buffered, length);
    buffered += length;
  }

  @Override
  public void copyBytes(DataInput input, long numBytes) throws IOException {
    if (numBytes < 0) {
      throw new IllegalArgumentException("numBytes must be at least 0 bytes: " + numBytes);
    }
    for (long left = numBytes; left > 0; ) {
      makeRoom(1);
      int piece = (int) Math.min(left, BUFFER_BYTES - buffered);
      input.readBytes(buffer, buffered, piece);
      buffered += piece;
      left -= piece;
    }
  }

  @Override
  public long getFilePointer() {
    return out.getFilePointer() + buffered;
  }

  @Override
  public long getChecksum() throws IOException {
    passBuffer();
    return out.getChecksum();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (out) {
      passBuffer();
    }
  }

  private void makeRoom(int bytes) throws IOException {
    if (bytes > BUFFER_BYTES - buffered) {
      passBuffer();
    }
  }

  private void passBuffer() throws IOException {
    int length = buffered;
    pass(buffer, 0, length);
    buffered = 0;
  }

  /** Waits for grants, and writes the granted bytes. */
  private void pass(byte[] b, int offset, int length) throws IOException {
    if (failure instanceof MergeAbortedException) {
      throw new MergeAbortedException(failure.getMessage());
    }
    if (failure != null) {
      throw new IOException("an earlier write to " + getName() + " failed", failure);
    }
    Objects.checkFromIndexSize(offset, length, b.length);
    try {
      for (int done = 0; done < length; ) {
        int granted = (int) grants.acquire(length - done);
        out.writeBytes(b, offset + done, granted);
        done += granted;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = e;
      throw new ThreadInterruptedException(e);
    } catch (Throwable t) {
      failure = t;
      throw t;
    }
  }
}
