package io.weir.fakes;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * A disk that is full after so many operations: from the {@link #failFrom given} one on, every
 * creation of a file, write and close of an output fails until it is healed.
 */
public final class FaultyDirectory extends FilterDirectory {

  private final AtomicLong operations = new AtomicLong();
  private volatile long failFrom = Long.MAX_VALUE;
  private volatile boolean failed;

  public FaultyDirectory(Directory in) {
    super(in);
  }

  /** From now on, operation number {@code index} (from 0) and all after it fail. */
  public void failFrom(long index) {
    operations.set(0);
    failed = false;
    failFrom = index;
  }

  /** Nothing fails any more. */
  public void heal() {
    failFrom = Long.MAX_VALUE;
  }

  /** Whether anything has failed since {@link #failFrom} was called. */
  public boolean failed() {
    return failed;
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    step();
    return faulty(in.createOutput(name, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    step();
    return faulty(in.createTempOutput(prefix, suffix, context));
  }

  private void step() throws IOException {
    if (operations.getAndIncrement() >= failFrom) {
      failed = true;
      throw new IOException("no space left on device");
    }
  }

  private IndexOutput faulty(IndexOutput output) {
    return new FilterIndexOutput("Faulty(" + output + ")", output.getName(), output) {
      @Override
      public void writeBytes(byte[] b, int offset, int length) throws IOException {
        step();
        out.writeBytes(b, offset, length);
      }

      @Override
      public void close() throws IOException {
        try (out) {
          step();
        }
      }
    };
  }
}
