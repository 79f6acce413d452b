package io.weir.indexing.cell;

import io.weir.lucene.SegmentFiles;
import io.weir.stress.arm.load.SoftDeletes;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.CapWatch;
import io.weir.stress.arm.meters.CountingOutput;
import io.weir.stress.arm.meters.MergeCounters;
import io.weir.stress.arm.storage.ArmIndex;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.UpdateMode;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.InfoStream;

/**
 * The empty index of a cell, open for writing through its {@link WritePath}.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the writer and the directory; closing discards
 * what was not committed and aborts running merges.
 */
final class CellIndex implements Closeable {

  private static final double BYTES_PER_LUCENE_MEGABYTE = 1024 * 1024;
  private static final long LOOK_FOR_MERGES_NANOS = 5_000_000;

  private final WriteMeter writes = new WriteMeter();
  private final StallMeter stalls = new StallMeter();
  private final MergeCounters counters;
  private final ConcurrentMergeScheduler scheduler;
  private final Directory directory;
  private final IndexWriter writer;

  /** Creates an index. */
  CellIndex(Path index, ArmSettings settings, long ramBufferBytes) throws IOException {
    if (settings.get(ArmSetting.DIRECTORY) == DirectoryKind.HEAP) {
      throw new IllegalArgumentException("directory must be on a disk: " + DirectoryKind.HEAP);
    }
    WritePath path = new WritePath(settings);
    counters = path.counters();
    scheduler = path.scheduler();
    directory = writes.flushes(path.directory(writes.bytes(ArmIndex.files(settings, index))));
    try {
      TieredMergePolicy policy = new TieredMergePolicy();
      IndexWriterConfig config =
          ArmIndex.config(settings, path, policy)
              .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
              .setRAMBufferSizeMB(ramBufferBytes / BYTES_PER_LUCENE_MEGABYTE)
              .setInfoStream(stalls);
      config.setMergePolicy(counters.meter().policy(policy));
      writer = new IndexWriter(directory, config);
    } catch (Throwable t) {
      try (directory) {
        throw t;
      }
    }
  }

  /** What it writes. */
  WriteMeter writes() {
    return writes;
  }

  /** When it held threads back. */
  StallMeter stalls() {
    return stalls;
  }

  /** Where the cap was too low so far; nowhere without a cap. */
  CapWatch.Trouble capTrouble() {
    return counters.capTrouble();
  }

  /**
   * What indexes documents.
   *
   * @param mode an update replaces a document of the first pass over {@code keys}, at random
   * @param keys how many different ones there are with {@link UpdateMode#UPDATE}
   */
  Feeders.Sink sink(UpdateMode mode, long keys, long seed) {
    if (mode == UpdateMode.SOFT_UPDATE) {
      throw new IllegalArgumentException("mode must be add or update: " + mode);
    }
    Updater.ToWriter updates = new Updater.ToWriter(writer, mode, new SoftDeletes());
    return (number, text, random) -> {
      long key = mode == UpdateMode.ADD ? number : keyNumber(number, keys, random);
      updates.update(text.under(DocumentKeys.of(key, seed)));
    };
  }

  private static long keyNumber(long number, long keys, SplittableRandom random) {
    return number < keys ? number : random.nextLong(keys);
  }

  /** The bytes of the segments in merges that were chosen and have not ended. */
  long mergeDebtBytes() throws IOException {
    long bytes = 0;
    synchronized (writer) { // as Lucene asks of those who look at this set
      for (SegmentCommitInfo segment : writer.getMergingSegments()) {
        bytes += segment.sizeInBytes();
      }
    }
    return bytes;
  }

  /**
   * Flushes, lets every merge that the policy wants come to its end, and commits.
   *
   * @param goesOn called about every {@value #LOOK_FOR_MERGES_NANOS} ns; false gives up
   * @return whether all was done
   */
  boolean finish(NanoClock clock, IOSupplier<Boolean> goesOn) throws IOException {
    writer.flush();
    writer.maybeMerge();
    while (writer.hasPendingMerges() || scheduler.mergeThreadCount() > 0) {
      if (!goesOn.get()) {
        return false;
      }
      clock.parkNanos(this, LOOK_FOR_MERGES_NANOS);
    }
    writer.commit();
    return true;
  }

  @Override
  public void close() throws IOException {
    try (directory) {
      writer.rollback();
    }
  }

  /**
   * Counts the times in which Lucene holds indexing threads back, from what the writer says:
   * because flushes do not keep up with the buffer, which stops all threads, or because too many
   * merges run, which stops the thread that flushed.
   *
   * <p>Source: Lucene 10, {@code DocumentsWriterFlushControl.updateStallState} and {@code
   * ConcurrentMergeScheduler.maybeStall}; both say at the end how long it was.
   *
   * <p><b>Threads:</b> any.
   */
  static final class StallMeter extends InfoStream {

    private static final String FLUSH_CONTROL = "DWFC"; // asked for, and then called "DW"
    private static final String DOCUMENTS = "DW";
    private static final String MERGES = "MS";
    private static final Pattern FLUSH_STALL =
        Pattern.compile("done stalling flushes for ([0-9.,]+) msec");
    private static final Pattern MERGE_STALL = Pattern.compile("\\s*stalled for ([0-9]+) ms");

    private final AtomicLong flushStalls = new AtomicLong();
    private final AtomicLong flushStallNanos = new AtomicLong();
    private final AtomicLong mergeStalls = new AtomicLong();
    private final AtomicLong mergeStallNanos = new AtomicLong();

    @Override
    public boolean isEnabled(String component) {
      return component.equals(FLUSH_CONTROL) || component.equals(MERGES);
    }

    @Override
    public void message(String component, String message) {
      if (component.equals(DOCUMENTS)) {
        count(FLUSH_STALL.matcher(message), flushStalls, flushStallNanos);
      } else if (component.equals(MERGES)) {
        count(MERGE_STALL.matcher(message), mergeStalls, mergeStallNanos);
      }
    }

    private static void count(Matcher message, AtomicLong stalls, AtomicLong nanos) {
      if (message.lookingAt()) {
        stalls.incrementAndGet();
        double millis = Double.parseDouble(message.group(1).replace(',', '.')); // a locale's comma
        nanos.addAndGet((long) (millis * TimeUnit.MILLISECONDS.toNanos(1)));
      }
    }

    long flushStalls() {
      return flushStalls.get();
    }

    long flushStallNanos() {
      return flushStallNanos.get();
    }

    long mergeStalls() {
      return mergeStalls.get();
    }

    long mergeStallNanos() {
      return mergeStallNanos.get();
    }

    @Override
    public void close() {}
  }

  /**
   * Counts what reaches the directory below everything else, by what wrote it: a flush, a merge or
   * anything else. Lucene names the purpose when it creates the file of a merge. Flushes are
   * counted above everything else, because Weir may keep their files in memory.
   *
   * <p><b>Threads:</b> any.
   */
  static final class WriteMeter {

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
}
