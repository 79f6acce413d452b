package io.weir.store;

import java.io.IOException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * An output whose bytes are on their way to the disk soon after they were written. It passes every
 * call on and counts; large writes and copies it cuts where a range ends.
 *
 * <p><b>Threads:</b> one at a time, as any output. Writes wait for the disk when it is behind by
 * the window.
 *
 * <p><b>Ownership:</b> closes the output below and its own handle on the file.
 *
 * <p><b>Failure:</b> what the output below throws, and what the {@link LostWriteHandler} throws of
 * a write that was lost. The latter may come from {@link #close} as well; all is closed then.
 */
final class WritebackIndexOutput extends FilterIndexOutput {

  private final FileWriteback writeback;
  private long length;
  private long nextLength;
  private boolean closed;

  WritebackIndexOutput(IndexOutput out, FileWriteback writeback) {
    super("WritebackIndexOutput(" + out + ")", out.getName(), out);
    this.writeback = writeback;
    this.length = out.getFilePointer();
    this.nextLength = writeback.nextLength();
  }

  @Override
  public void writeByte(byte b) throws IOException {
    out.writeByte(b);
    grown(Byte.BYTES);
  }

  @Override
  public void writeShort(short i) throws IOException {
    out.writeShort(i);
    grown(Short.BYTES);
  }

  @Override
  public void writeInt(int i) throws IOException {
    out.writeInt(i);
    grown(Integer.BYTES);
  }

  @Override
  public void writeLong(long i) throws IOException {
    out.writeLong(i);
    grown(Long.BYTES);
  }

  @Override
  public void writeBytes(byte[] b, int offset, int length) throws IOException {
    int done = 0;
    do {
      int piece = (int) Math.min(length - done, room());
      out.writeBytes(b, offset + done, piece);
      grown(piece);
      done += piece;
    } while (done < length);
  }

  @Override
  public void copyBytes(DataInput input, long numBytes) throws IOException {
    long left = numBytes;
    do {
      long piece = Math.min(left, room());
      out.copyBytes(input, piece);
      grown(piece);
      left -= piece;
    } while (left > 0);
  }

  /** How much fits until there is something to do; more than 0, for then it has been done. */
  private long room() {
    return nextLength - length;
  }

  private void grown(long bytes) throws IOException {
    length += bytes;
    if (length >= nextLength) {
      try {
        writeback.grownTo(length);
      } finally {
        nextLength = writeback.nextLength(); // else there is no room for the next write, for ever
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      out.close();
      writeback.finish(length);
    } finally {
      writeback.end();
    }
  }
}
