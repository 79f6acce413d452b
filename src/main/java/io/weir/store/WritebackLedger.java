package io.weir.store;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * What writeback has done in one directory: its counters, its faults, and which files may have lost
 * data.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one entry for each file that may have lost
 * data, until it is deleted.
 */
final class WritebackLedger {

  private static final System.Logger LOGGER = System.getLogger(WritebackDirectory.class.getName());

  private final LongAdder startedRanges = new LongAdder();
  private final LongAdder inFlightRanges = new LongAdder();
  private final LongAdder startedBytes = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final LongAdder faults = new LongAdder();
  private final LongAdder droppedBytes = new LongAdder();
  private final AtomicBoolean faultTold = new AtomicBoolean();
  private final Map<String, Exception> lostFiles = new ConcurrentHashMap<>();

  void started(long bytes) {
    startedRanges.increment();
    inFlightRanges.increment();
    startedBytes.add(bytes);
  }

  void landed(long ranges) {
    inFlightRanges.add(-ranges);
  }

  void waited(long nanos) {
    waitNanos.add(nanos);
  }

  void dropped(long bytes) {
    droppedBytes.add(bytes);
  }

  /**
   * Smoothing of a file ended early, and the merge did not notice.
   *
   * @param lost whether the failure may be the kernel's news, to us and to nobody else, that a
   *     write of this file failed
   */
  void fault(String name, Exception failure, boolean lost) {
    faults.increment();
    if (lost) {
      lostFiles.put(name, failure);
      log(Level.ERROR, name + " may not have reached the disk", failure);
    } else if (faultTold.compareAndSet(false, true)) {
      log(
          Level.WARNING,
          name + " is written without smoothing; later faults are counted and not logged",
          failure);
    }
  }

  /** The log may fail as well, and no write may be hurt for that. */
  private static void log(Level level, String message, Exception failure) {
    try {
      LOGGER.log(level, message, failure);
    } catch (Throwable unheard) {
      // The fault is counted.
    }
  }

  void deleted(String name) {
    lostFiles.remove(name);
  }

  void renamed(String source, String dest) {
    Exception failure = lostFiles.remove(source);
    if (failure != null) {
      lostFiles.put(dest, failure);
    }
  }

  /**
   * Fails as the {@code fsync} of one of these files would have failed, had the kernel not told us
   * first.
   */
  void failIfLost(Collection<String> names) throws IOException {
    for (String name : names) {
      Exception failure = lostFiles.get(name);
      if (failure != null) {
        throw new IOException(
            "a part of " + name + " could not be written to disk while a merge wrote it", failure);
      }
    }
  }

  WritebackSnapshot snapshot() {
    return new WritebackSnapshot(
        startedRanges.sum(),
        inFlightRanges.sum(),
        startedBytes.sum(),
        waitNanos.sum(),
        faults.sum(),
        droppedBytes.sum(),
        lostFiles.size());
  }
}
