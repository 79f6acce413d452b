package io.weir.indexing.cell;

import com.sun.management.OperatingSystemMXBean;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.meters.GcCounters;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads the counters of a cell and keeps them, also in a file.
 *
 * <p><b>Threads:</b> one.
 */
final class CellMeters {

  /** What is counted. All but the debt grow only. */
  enum Counter {
    DOCUMENTS,
    TEXT_BYTES,
    FLUSHES,
    FLUSHED_BYTES,
    PACKED_BYTES,
    MERGED_BYTES,
    OTHER_BYTES,
    MERGE_DEBT_BYTES,
    MERGE_STALLS,
    MERGE_STALL_NANOS,
    FLUSH_STALLS,
    FLUSH_STALL_NANOS,
    /** That this JVM has used. */
    PROCESSOR_NANOS,
    /** That its indexing threads have used. */
    INDEXING_THREAD_NANOS,
    COLLECTIONS,
    COLLECTOR_MILLIS
  }

  static final String[] COLUMNS =
      Stream.concat(
              Stream.of("cell", "round", "time_nanos"),
              Arrays.stream(Counter.values()).map(c -> c.name().toLowerCase(Locale.ROOT)))
          .toArray(String[]::new);

  /**
   * All counters of a cell at one moment.
   *
   * @param nanos on the clock of the cell
   */
  record Sample(long nanos, Map<Counter, Long> counts) {

    long get(Counter counter) {
      return counts.get(counter);
    }

    /** What a counter grew by. */
    long since(Sample earlier, Counter counter) {
      return get(counter) - earlier.get(counter);
    }
  }

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
    Map<Counter, Long> counts = new EnumMap<>(Counter.class);
    Sample sample = new Sample(clock.nanoTime(), counts);
    for (Counter counter : Counter.values()) {
      counts.put(counter, read(counter));
    }
    samples.add(sample);
    lines.line(
        Stream.concat(
                Stream.of(sample.nanos() - samples.getFirst().nanos()), counts.values().stream())
            .toArray());
    return sample;
  }

  private long read(Counter counter) throws IOException {
    return switch (counter) {
      case DOCUMENTS -> feeders.documents();
      case TEXT_BYTES -> feeders.textBytes();
      case FLUSHES -> index.writes().flushes();
      case FLUSHED_BYTES -> index.writes().flushedBytes();
      case PACKED_BYTES -> index.writes().packedBytes();
      case MERGED_BYTES -> index.writes().mergedBytes();
      case OTHER_BYTES -> index.writes().otherBytes();
      case MERGE_DEBT_BYTES -> index.mergeDebtBytes();
      case MERGE_STALLS -> index.stalls().mergeStalls();
      case MERGE_STALL_NANOS -> index.stalls().mergeStallNanos();
      case FLUSH_STALLS -> index.stalls().flushStalls();
      case FLUSH_STALL_NANOS -> index.stalls().flushStallNanos();
      case PROCESSOR_NANOS -> system.getProcessCpuTime();
      case INDEXING_THREAD_NANOS -> feeders.processorNanos();
      case COLLECTIONS -> collectors.count();
      case COLLECTOR_MILLIS -> collectors.millis();
    };
  }
}
