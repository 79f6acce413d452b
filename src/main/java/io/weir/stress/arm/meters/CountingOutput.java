package io.weir.stress.arm.meters;

import java.io.IOException;
import java.util.function.IntConsumer;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * Counts the bytes that are written to a file, each once. Small values are gathered before they are
 * counted: an atomic add each would slow stock arms. All are counted when it is closed.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes the output below.
 */
public final class CountingOutput extends FilterIndexOutput {

  private static final int GATHERED_BYTES = 4096;

  private final IntConsumer counter;
  private int gathered;

  /** Counts what is written to {@code out}. */
  public CountingOutput(IndexOutput out, IntConsumer counter) {
    super("Counted(" + out + ")", out.getName(), out);
    this.counter = counter;
  }

  @Override
  public void writeByte(byte b) throws IOException {
    out.writeByte(b);
    gather(Byte.BYTES);
  }

  @Override
  public void writeShort(short i) throws IOException {
    out.writeShort(i);
    gather(Short.BYTES);
  }

  @Override
  public void writeInt(int i) throws IOException {
    out.writeInt(i);
    gather(Integer.BYTES);
  }

  @Override
  public void writeLong(long i) throws IOException {
    out.writeLong(i);
    gather(Long.BYTES);
  }

  @Override
  public void writeBytes(byte[] b, int offset, int length) throws IOException {
    out.writeBytes(b, offset, length);
    counter.accept(length);
  }

  @Override
  public void close() throws IOException {
    counter.accept(gathered);
    gathered = 0;
    super.close();
  }

  private void gather(int bytes) {
    gathered += bytes;
    if (gathered >= GATHERED_BYTES) {
      counter.accept(gathered);
      gathered = 0;
    }
  }
}
