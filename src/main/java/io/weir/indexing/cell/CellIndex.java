package io.weir.indexing.cell;

import io.weir.stress.arm.load.SoftDeletes;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.CapWatch;
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
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;

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
      updates.update(DocumentKeys.of(key, seed), text.document());
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
   * @param look called about every {@value #LOOK_FOR_MERGES_NANOS} ns; false gives up
   * @return whether all was done
   */
  boolean finish(NanoClock clock, Look look) throws IOException {
    writer.flush();
    writer.maybeMerge();
    while (writer.hasPendingMerges() || scheduler.mergeThreadCount() > 0) {
      if (!look.goOn()) {
        return false;
      }
      clock.parkNanos(this, LOOK_FOR_MERGES_NANOS);
    }
    writer.commit();
    return true;
  }

  /** Called while merges end. */
  interface Look {
    boolean goOn() throws IOException;
  }

  @Override
  public void close() throws IOException {
    try (directory) {
      writer.rollback();
    }
  }
}
