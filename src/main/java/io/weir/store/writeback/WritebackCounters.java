package io.weir.store.writeback;

import io.weir.store.WritebackSnapshot;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of writeback in one directory; also logs its faults.
 *
 * <p><b>Threads:</b> any; nothing blocks.
 */
public final class WritebackCounters {

  private final LongAdder startedRanges = new LongAdder();
  private final LongAdder inFlightRanges = new LongAdder();
  private final LongAdder startedBytes = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final LongAdder faults = new LongAdder();
  private final LongAdder lostWrites = new LongAdder();
  private final LongAdder droppedBytes = new LongAdder();
  private final OnceLog fault = new OnceLog(WritebackCounters.class);

  public void started(long bytes) {
    startedRanges.increment();
    inFlightRanges.increment();
    startedBytes.add(bytes);
  }

  public void landed(long ranges) {
    inFlightRanges.add(-ranges);
  }

  void waited(long nanos) {
    waitNanos.add(nanos);
  }

  void dropped(long bytes) {
    droppedBytes.add(bytes);
  }

  /** Counts a file whose smoothing ended early. */
  public void fault(String name, Exception failure) {
    faults.increment();
    if (failure instanceof LostWriteException) {
      lostWrites.increment();
      OnceLog.write(
          WritebackCounters.class,
          Level.ERROR,
          "a part of " + name + " could not be written to disk; its merge or copy ends",
          failure);
    } else {
      fault.warn(
          name + " is written without smoothing; later faults are counted and not logged", failure);
    }
  }

  /**
   * The figures now.
   *
   * @param lostFiles the number of {@link UnsyncedFiles#failedFiles}
   */
  public WritebackSnapshot snapshot(int lostFiles) {
    return new WritebackSnapshot(
        startedRanges.sum(),
        inFlightRanges.sum(),
        startedBytes.sum(),
        waitNanos.sum(),
        faults.sum(),
        droppedBytes.sum(),
        lostWrites.sum(),
        lostFiles);
  }
}
