package io.weir.stress.arm.meters;

import io.weir.run.MergeFigures;
import io.weir.run.Values;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackSnapshot;
import java.util.Locale;

/**
 * What one directory's writeback did since a moment.
 *
 * <p><b>Threads:</b> one.
 *
 * @param start its counters then
 */
record WritebackWindow(WritebackDirectory directory, WritebackSnapshot start) {

  /** The window begins now. */
  static WritebackWindow on(WritebackDirectory directory) {
    return new WritebackWindow(directory, directory.snapshot());
  }

  /** What was done since. */
  Values untilNow() {
    WritebackSnapshot end = directory.snapshot();
    return Values.builder()
        .put(MergeFigures.WRITEBACK_METHOD, directory.method().name().toLowerCase(Locale.ROOT))
        .put(MergeFigures.WRITEBACK_REASON, directory.methodReason())
        .put(MergeFigures.WRITEBACK_RANGES, end.startedRanges() - start.startedRanges())
        .put(MergeFigures.WRITEBACK_BYTES, end.startedBytes() - start.startedBytes())
        .put(MergeFigures.WRITEBACK_WAITED, (end.waitNanos() - start.waitNanos()) / 1e9)
        .put(MergeFigures.WRITEBACK_FAULTS, end.faults() - start.faults())
        .build();
  }
}
