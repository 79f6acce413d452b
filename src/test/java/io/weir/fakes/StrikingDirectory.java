package io.weir.fakes;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;

/**
 * A directory in which one operation of some threads fails, once; operations of one kind are
 * counted from 1 on. It also counts the bytes that those threads write or try to write.
 */
public final class StrikingDirectory extends FilterDirectory {

  /** The kinds of operations, and where in a stack of directories they are met. */
  public enum Place {
    /** Writes and creations, below the layers that charge them: a full disk. */
    WRITE_BELOW,
    /** Writes, closes and creations, above those layers: whatever a codec may throw there. */
    WRITE_ABOVE,
    /** Reads: a damaged file. */
    READ
  }

  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final BooleanSupplier isCounted;
  private volatile Place place = Place.READ;
  private volatile long strikeAt = Long.MAX_VALUE;
  private volatile IORunnable strike = () -> {};

  /** Operations of Lucene's merge threads fail. */
  public StrikingDirectory(Directory in) {
    this(in, () -> Thread.currentThread().getName().startsWith("Lucene Merge Thread"));
  }

  /** Operations fail on a thread on which {@code isCounted} is true. */
  public StrikingDirectory(Directory in, BooleanSupplier isCounted) {
    super(in);
    this.isCounted = isCounted;
  }

  /** From now on, operation number {@code index} of that kind does {@code newStrike} instead. */
  public void strikeAt(Place newPlace, long index, IORunnable newStrike) {
    place = newPlace;
    strike = newStrike;
    operations.set(0);
    strikeAt = index;
  }

  /** The operations since {@link #strikeAt} was called. */
  public long operations() {
    return operations.get();
  }

  /** The bytes that those threads wrote or tried to write. */
  public long bytes() {
    return bytes.get();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    write();
    return striking(in.createOutput(name, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    write();
    return striking(in.createTempOutput(prefix, suffix, context));
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new StrikingInput(in.openInput(name, context));
  }

  private void write() throws IOException {
    if (place != Place.READ) {
      step();
    }
  }

  private void read() throws IOException {
    if (place == Place.READ) {
      step();
    }
  }

  private void step() throws IOException {
    if (isCounted.getAsBoolean() && operations.incrementAndGet() == strikeAt) {
      strike.run();
    }
  }

  private IndexOutput striking(IndexOutput output) {
    return new FilterIndexOutput("Striking(" + output + ")", output.getName(), output) {
      @Override
      public void writeByte(byte b) throws IOException {
        count(1);
        write();
        out.writeByte(b);
      }

      @Override
      public void writeBytes(byte[] b, int offset, int length) throws IOException {
        count(length);
        write();
        out.writeBytes(b, offset, length);
      }

      private void count(long length) {
        if (isCounted.getAsBoolean()) {
          bytes.addAndGet(length);
        }
      }
    };
  }

  private final class StrikingInput extends FilterIndexInput {

    StrikingInput(IndexInput in) {
      super(in.toString(), in);
    }

    @Override
    public byte readByte() throws IOException {
      read();
      return in.readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      read();
      in.readBytes(bytes, offset, length);
    }

    @Override
    public IndexInput clone() {
      return new StrikingInput(in.clone());
    }

    @Override
    public IndexInput slice(String name, long offset, long length) throws IOException {
      return new StrikingInput(in.slice(name, offset, length));
    }
  }
}
