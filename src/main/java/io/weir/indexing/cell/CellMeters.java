package io.weir.indexing.cell;

import com.sun.management.OperatingSystemMXBean;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.meters.GcCounters;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the counters of a cell and keeps them, also in a file.
 *
 * <p><b>Threads:</b> one.
 */
final class CellMeters {

  static final String[] COLUMNS = {
    "cell",
    "round",
    "time_nanos",
    "documents",
    "text_bytes",
    "flushes",
    "flushed_bytes",
    "packed_bytes",
    "merged_bytes",
    "other_bytes",
    "merge_debt_bytes",
    "merge_stalls",
    "merge_stall_nanos",
    "flush_stalls",
    "flush_stall_nanos",
    "processor_nanos",
    "indexing_thread_nanos",
    "collections",
    "collector_millis"
  };

  /**
   * All counters of a cell at one moment. All but the debt grow only.
   *
   * @param nanos on the clock of the cell
   * @param processorNanos that this JVM has used
   * @param feederNanos that its indexing threads have used
   */
  record Sample(
      long nanos,
      long documents,
      long textBytes,
      long flushes,
      long flushedBytes,
      long packedBytes,
      long mergedBytes,
      long otherBytes,
      long mergeDebtBytes,
      long mergeStalls,
      long mergeStallNanos,
      long flushStalls,
      long flushStallNanos,
      long processorNanos,
      long feederNanos,
      long collections,
      long collectorMillis) {}

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final GcCounters collectors = new GcCounters();
  private final NanoClock clock;
  private final CellIndex index;
  private final Feeders feeders;
  private final ArmCsv lines;
  private final List<Sample> samples = new ArrayList<>();

  CellMeters(NanoClock clock, CellIndex index, Feeders feeders, ArmCsv lines) {
    this.clock = clock;
    this.index = index;
    this.feeders = feeders;
    this.lines = lines;
  }

  /** All samples until now; the first one counts as time 0 in the file. */
  List<Sample> samples() {
    return samples;
  }

  /** Reads all counters now. */
  Sample sample() throws IOException {
    WriteMeter writes = index.writes();
    StallMeter stalls = index.stalls();
    Sample sample =
        new Sample(
            clock.nanoTime(),
            feeders.documents(),
            feeders.textBytes(),
            writes.flushes(),
            writes.flushedBytes(),
            writes.packedBytes(),
            writes.mergedBytes(),
            writes.otherBytes(),
            index.mergeDebtBytes(),
            stalls.mergeStalls(),
            stalls.mergeStallNanos(),
            stalls.flushStalls(),
            stalls.flushStallNanos(),
            system.getProcessCpuTime(),
            feeders.processorNanos(),
            collectors.count(),
            collectors.millis());
    samples.add(sample);
    lines.line(
        sample.nanos() - samples.getFirst().nanos(),
        sample.documents(),
        sample.textBytes(),
        sample.flushes(),
        sample.flushedBytes(),
        sample.packedBytes(),
        sample.mergedBytes(),
        sample.otherBytes(),
        sample.mergeDebtBytes(),
        sample.mergeStalls(),
        sample.mergeStallNanos(),
        sample.flushStalls(),
        sample.flushStallNanos(),
        sample.processorNanos(),
        sample.feederNanos(),
        sample.collections(),
        sample.collectorMillis());
    return sample;
  }
}
