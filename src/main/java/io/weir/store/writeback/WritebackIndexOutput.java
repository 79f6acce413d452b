package io.weir.store.writeback;

import java.io.IOException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * An output whose bytes go to the disk soon after they were written. It forwards all calls and
 * counts the bytes; it splits large writes and copies at the ends of ranges.
 *
 * <p><b>Threads:</b> one at a time, as any output. Writes wait while the disk is behind by more
 * than the window.
 *
 * <p><b>Ownership:</b> closes the output below and its own handle of the file.
 *
 * <p><b>Failure:</b> exceptions of the output below, and those of the {@link LostWriteHandler} for
 * a lost write. The latter may also come from {@link #close}; everything is closed then.
 */
public final class WritebackIndexOutput extends FilterIndexOutput {

  private final FileWriteback writeback;
  private long length;
  private long nextLength;
  private boolean closed;

  public WritebackIndexOutput(IndexOutput out, FileWriteback writeback) {
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

  /** The bytes until writeback has work to do; always more than 0. */
  private long room() {
    return nextLength - length;
  }

  private void grown(long bytes) throws IOException {
    length += bytes;
    if (length >= nextLength) {
      try {
        writeback.grownTo(length);
      } finally {
        nextLength =
            writeback.nextLength(); // otherwise there would never be room for the next write
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
