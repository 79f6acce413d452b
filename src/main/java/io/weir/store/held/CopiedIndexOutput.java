package io.weir.store.held;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * An output of a small file that keeps a copy of what it writes, and hands it over when the file is
 * closed. After a failed write or close there is no copy.
 *
 * <p><b>Threads:</b> one at a time, as any output. <b>Ownership:</b> closes the output below.
 */
public final class CopiedIndexOutput extends FilterIndexOutput {

  private final Consumer<byte[]> whenClosed;
  private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
  private boolean closed;

  public CopiedIndexOutput(IndexOutput out, Consumer<byte[]> whenClosed) {
    super("CopiedIndexOutput(" + out + ")", out.getName(), out);
    this.whenClosed = whenClosed;
  }

  @Override
  public void writeByte(byte b) throws IOException {
    out.writeByte(b);
    copy.write(b);
  }

  @Override
  public void writeBytes(byte[] b, int offset, int length) throws IOException {
    out.writeBytes(b, offset, length);
    copy.write(b, offset, length);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    long written = out.getFilePointer();
    out.close();
    if (written == copy.size()) {
      whenClosed.accept(copy.toByteArray());
    }
  }
}
