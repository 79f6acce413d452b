package io.weir.indexing.cell;

import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Counts what reaches the directory below everything else, by what wrote it: a flush, a merge or
 * anything else. Lucene names the purpose when it creates the file of a merge. Flushes are counted
 * above everything else, because Weir may keep their files in memory.
 *
 * <p><b>Threads:</b> any.
 */
final class WriteMeter {

  private final AtomicLong flushes = new AtomicLong();
  private final LongAdder segmentBytes = new LongAdder(); // of flushes, before files are packed
  private final LongAdder packedBytes = new LongAdder();
  private final LongAdder mergedBytes = new LongAdder();
  private final LongAdder otherBytes = new LongAdder();

  /** The directory for the writer: {@code in}, whose flushes are counted. */
  Directory flushes(Directory in) {
    return new FilterDirectory(in) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        IndexOutput output = in.createOutput(name, context);
        if (isFlush(name, context) && SegmentFiles.isSegmentInfo(name)) {
          flushes.incrementAndGet(); // each segment has one, and it is written last
        }
        return output;
      }
    };
  }

  /** The directory of the files: {@code in}, whose bytes are counted. */
  Directory bytes(Directory in) {
    return new FilterDirectory(in) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        return new Counted(in.createOutput(name, context), counter(name, context));
      }

      @Override
      public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
          throws IOException {
        IndexOutput output = in.createTempOutput(prefix, suffix, context);
        return new Counted(output, counter(output.getName(), context));
      }
    };
  }

  /** Segments that flushes have written, to the disk or to memory. */
  long flushes() {
    return flushes.get();
  }

  /** What flushes wrote, compound files included. */
  long flushedBytes() {
    return segmentBytes.sum() + packedBytes.sum();
  }

  /** The part of it that packed files of segments into compound files. */
  long packedBytes() {
    return packedBytes.sum();
  }

  long mergedBytes() {
    return mergedBytes.sum();
  }

  long otherBytes() {
    return otherBytes.sum();
  }

  private LongAdder counter(String name, IOContext context) {
    if (context.context() == IOContext.Context.MERGE) {
      return mergedBytes;
    }
    if (!isFlush(name, context)) {
      return otherBytes;
    }
    return SegmentFiles.isCompound(name) ? packedBytes : segmentBytes;
  }

  /**
   * Stored fields are written as documents come, and Lucene names no purpose then. Live documents
   * and updates of doc values are written under the name of a flush, but change a segment that is
   * there.
   */
  private static boolean isFlush(String name, IOContext context) {
    return context.context() != IOContext.Context.MERGE
        && name.startsWith("_")
        && !SegmentFiles.isChange(name);
  }

  /** Bytes count when the file is closed or has {@value #GATHERED_BYTES} more of them. */
  private static final class Counted extends FilterIndexOutput {

    private static final int GATHERED_BYTES = 1 << 16;

    private final LongAdder bytes;
    private long counted;

    Counted(IndexOutput out, LongAdder bytes) {
      super("Counted(" + out + ")", out.getName(), out);
      this.bytes = bytes;
    }

    @Override
    public void writeByte(byte b) throws IOException {
      out.writeByte(b);
      look();
    }

    @Override
    public void writeShort(short i) throws IOException {
      out.writeShort(i);
      look();
    }

    @Override
    public void writeInt(int i) throws IOException {
      out.writeInt(i);
      look();
    }

    @Override
    public void writeLong(long i) throws IOException {
      out.writeLong(i);
      look();
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) throws IOException {
      out.writeBytes(b, offset, length);
      look();
    }

    @Override
    public void close() throws IOException {
      count();
      super.close();
    }

    private void look() {
      if (out.getFilePointer() - counted >= GATHERED_BYTES) {
        count();
      }
    }

    private void count() {
      long written = out.getFilePointer();
      bytes.add(written - counted);
      counted = written;
    }
  }
}
