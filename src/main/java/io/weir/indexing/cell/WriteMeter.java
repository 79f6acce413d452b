package io.weir.indexing.cell;

import io.weir.lucene.SegmentFiles;
import io.weir.stress.arm.meters.CountingOutput;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
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
        return new CountingOutput(in.createOutput(name, context), counter(name, context)::add);
      }

      @Override
      public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
          throws IOException {
        IndexOutput output = in.createTempOutput(prefix, suffix, context);
        return new CountingOutput(output, counter(output.getName(), context)::add);
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
}
