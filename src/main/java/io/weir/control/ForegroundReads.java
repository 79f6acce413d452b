package io.weir.control;

import io.weir.procfs.Procfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The bytes that this process reads from storage for other purposes than merges: searches, reopens,
 * page faults of mapped files. They are the kernel's count for the process minus its counts for the
 * merging threads. The kernel counts a read when it is submitted to the disk, so a read that still
 * waits is included.
 *
 * <p>A merge that begins only registers its thread's number. The counters are opened at the first
 * call of {@link #bytesSinceLast}, and closed by {@link #rest}. The reads of unregistered merges
 * count as foreground reads.
 *
 * <p><b>Threads:</b> any; one looks at a time. <b>Failure:</b> {@link UncheckedIOException} if a
 * counter cannot be read; call {@link #rest} then.
 */
final class ForegroundReads {

  private final Procfs procfs;
  private final Map<Thread, Merge> merges = new HashMap<>(); // guarded by this
  private ReadCounter process; // guarded by this; null while the counters are closed
  private long endedBytes; // guarded by this: read by merges that have ended since the last look
  private long aheadBytes; // guarded by this: of merges, not yet counted for the process

  /** A merging thread, with the number of its nested merges. */
  private static final class Merge {
    final OptionalLong threadNumber;
    int depth = 1;
    ReadCounter counter; // null while the counters are closed

    Merge(OptionalLong threadNumber) {
      this.threadNumber = threadNumber;
    }
  }

  ForegroundReads(Procfs procfs) {
    this.procfs = procfs;
  }

  /** The calling thread begins a merge. */
  synchronized void mergeBegins() {
    Merge running = merges.get(Thread.currentThread());
    if (running != null) {
      running.depth++;
      return;
    }
    Merge merge = new Merge(procfs.threadNumber());
    merges.put(Thread.currentThread(), merge);
    if (process != null) {
      open(merge);
    }
  }

  /** The calling thread's last merge has ended. */
  synchronized void mergeEnds() {
    Merge running = merges.get(Thread.currentThread());
    if (running == null || --running.depth > 0) {
      return;
    }
    merges.remove(Thread.currentThread());
    if (running.counter != null) {
      try (ReadCounter counter = running.counter) {
        endedBytes += counter.bytesSinceLast();
      }
    }
    if (merges.isEmpty()) {
      rest();
    }
  }

  /** The foreground bytes since the last call; 0 at the first call. */
  synchronized long bytesSinceLast() {
    if (merges.isEmpty()) {
      return 0;
    }
    if (process == null) {
      process = ReadCounter.of(procfs.selfIoFile().orElseThrow(() -> unreadable("/proc/self/io")));
      merges.values().forEach(this::open);
      return 0;
    }
    // The process first: bytes that a merge reads in between are subtracted at the next call.
    long others = process.bytesSinceLast() - endedBytes - aheadBytes;
    for (Merge merge : merges.values()) {
      others -= merge.counter.bytesSinceLast();
    }
    endedBytes = 0;
    aheadBytes = Math.max(0, -others);
    return Math.max(0, others);
  }

  /** Closes the counters until the next call of {@link #bytesSinceLast}. */
  synchronized void rest() {
    for (Merge merge : merges.values()) {
      if (merge.counter != null) {
        merge.counter.close();
        merge.counter = null;
      }
    }
    if (process != null) {
      process.close();
      process = null;
    }
    endedBytes = 0;
    aheadBytes = 0;
  }

  private void open(Merge merge) {
    long number = merge.threadNumber.orElseThrow(() -> unreadable("the number of a merge thread"));
    merge.counter =
        ReadCounter.of(
            procfs
                .threadIoFile(number)
                .orElseThrow(() -> unreadable("/proc/self/task/" + number + "/io")));
  }

  private static UncheckedIOException unreadable(String what) {
    return new UncheckedIOException(new IOException(what + " cannot be read"));
  }
}
