package io.weir.stress.arm.meters;

import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackSnapshot;
import io.weir.stress.result.MergeWriteback;
import java.util.Locale;

/**
 * What one directory's writeback did from a moment on.
 *
 * <p><b>Threads:</b> one.
 *
 * @param directory null when the arm has none
 * @param start null likewise
 */
public record WritebackWindow(WritebackDirectory directory, WritebackSnapshot start) {

  /** The window begins now. */
  static WritebackWindow on(WritebackDirectory directory) {
    return new WritebackWindow(directory, directory == null ? null : directory.snapshot());
  }

  /** What was done since; null when there is no writeback. */
  MergeWriteback untilNow() {
    if (directory == null) {
      return null;
    }
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
