package io.weir.stress.arm.meters;

import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackSnapshot;
import io.weir.stress.result.MergeWriteback;
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
  MergeWriteback untilNow() {
    WritebackSnapshot end = directory.snapshot();
    return new MergeWriteback(
        directory.method().name().toLowerCase(Locale.ROOT),
        directory.methodReason(),
        end.startedRanges() - start.startedRanges(),
        end.startedBytes() - start.startedBytes(),
        (end.waitNanos() - start.waitNanos()) / 1e9,
        end.faults() - start.faults());
  }
}
