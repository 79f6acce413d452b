package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.store.DeferredUnmapDirectory;
import io.weir.store.DirectoryPlan;
import io.weir.store.FlushedFilesDirectory;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.ResidentDirectory;
import io.weir.store.SmallFilesDirectory;
import io.weir.store.WritebackDirectory;
import java.util.Objects;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * The meters of one index's directories: writeback smoothing, resident keys, small files, flushed
 * files, unmapping, read-ahead of merges. Directories are found by unwrapping; those that are
 * missing have no meters.
 */
public final class DirectoryMetrics extends WeirMeterBinder {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Directory directory;

  /**
   * With additional tags.
   *
   * @param directory of the writer; the search ends at the first one that is not a {@link
   *     FilterDirectory}
   * @param tags such as the name of the index
   */
  public DirectoryMetrics(Directory directory, Tags tags) {
    super(tags);
    this.directory = Objects.requireNonNull(directory, "directory");
  }

  @Override
  Runnable register(MeterSet meters) {
    DirectoryPlan.find(directory, WritebackDirectory.class).ifPresent(d -> register(meters, d));
    DirectoryPlan.find(directory, ResidentDirectory.class).ifPresent(d -> register(meters, d));
    DirectoryPlan.find(directory, SmallFilesDirectory.class).ifPresent(d -> register(meters, d));
    DirectoryPlan.find(directory, FlushedFilesDirectory.class).ifPresent(d -> register(meters, d));
    DirectoryPlan.find(directory, DeferredUnmapDirectory.class).ifPresent(d -> register(meters, d));
    DirectoryPlan.find(directory, MergeReadsDirectory.class).ifPresent(d -> register(meters, d));
    return () -> {};
  }

  private static void register(MeterSet meters, WritebackDirectory directory) {
    meters.gauge(WeirMeter.WRITEBACK_IN_FLIGHT, () -> directory.snapshot().inFlightRanges());
    meters.counter(WeirMeter.WRITEBACK_STARTED, () -> directory.snapshot().startedBytes());
    meters.counter(
        WeirMeter.WRITEBACK_WAIT, () -> directory.snapshot().waitNanos() / NANOS_PER_SECOND);
    meters.counter(WeirMeter.WRITEBACK_DROPPED, () -> directory.snapshot().droppedBytes());
    meters.counter(WeirMeter.WRITEBACK_FAULTS, () -> directory.snapshot().faults());
    meters.gauge(WeirMeter.WRITEBACK_LOST, () -> directory.snapshot().lostFiles());
  }

  private static void register(MeterSet meters, ResidentDirectory directory) {
    meters.gauge(WeirMeter.KEYS_RESIDENT, () -> directory.snapshot().bytes());
    meters.gauge(WeirMeter.KEYS_WAITING, () -> directory.snapshot().waitingBytes());
    meters.counter(WeirMeter.KEYS_FAULTS, () -> directory.snapshot().faults());
    meters.counter(WeirMeter.KEYS_ATTEMPTS, () -> directory.snapshot().attempts());
    meters.counter(WeirMeter.KEYS_READ, () -> directory.snapshot().readBytes());
    meters.counter(WeirMeter.KEYS_WASTED, () -> directory.snapshot().wastedBytes());
  }

  private static void register(MeterSet meters, SmallFilesDirectory directory) {
    meters.gauge(WeirMeter.SMALL_FILES_HELD, () -> directory.snapshot().heldBytes());
  }

  private static void register(MeterSet meters, FlushedFilesDirectory directory) {
    meters.gauge(WeirMeter.FLUSHED_FILES_HELD, () -> directory.snapshot().heldBytes());
    meters.counter(WeirMeter.FLUSHED_FILES_UNWRITTEN, () -> directory.snapshot().unwrittenFiles());
  }

  private static void register(MeterSet meters, DeferredUnmapDirectory directory) {
    meters.gauge(WeirMeter.UNMAP_PENDING, () -> directory.snapshot().pendingFiles());
    meters.counter(WeirMeter.UNMAP_INLINE, () -> directory.snapshot().inlineFiles());
  }

  private static void register(MeterSet meters, MergeReadsDirectory directory) {
    meters.counter(WeirMeter.READ_AHEAD, directory::readAheadBytes);
    meters.counter(WeirMeter.READ_AHEAD_FAULTS, directory::readAheadFaults);
  }
}
