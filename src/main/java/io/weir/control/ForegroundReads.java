package io.weir.control;

import io.weir.procfs.IoFile;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What this process fetches from storage for everything but merges: searches, reopens, page faults
 * of mapped files. It is what the kernel counts for the process, less what it counts for the
 * threads that merge. It counts a read when the disk is asked for it, so one that still waits is
 * seen.
 *
 * <p>A merge that begins only leaves its thread's number. Counters are opened and read when
 * somebody asks, and closed when nobody does any more. Merges that do not tell are taken for
 * others.
 *
 * <p><b>Threads:</b> any; one looks at a time. <b>Failure:</b> {@link UncheckedIOException} where
 * the kernel does not tell a counter.
 */
final class ForegroundReads {

  private final Procfs procfs;
  private final Map<Thread, Merge> merges = new HashMap<>(); // guarded by this
  private Counter process; // guarded by this; null while nobody asks
  private long endedBytes; // guarded by this: read by merges that ended since the last look
  private long aheadBytes; // guarded by this: of merges that the process had not counted yet

  /** A thread that merges, and how many merges it is in the midst of. */
  private static final class Merge {
    final long threadNumber;
    int depth = 1;
    Counter counter; // null while nobody asks

    Merge(long threadNumber) {
      this.threadNumber = threadNumber;
    }
  }

  /** What a process or a thread has read, from one look to the next. */
  private static final class Counter implements AutoCloseable {

    private final IoFile file;
    private long seenBytes;

    Counter(IoFile file) {
      this.file = file;
      this.seenBytes = bytes();
    }

    long bytesSinceLast() {
      long before = seenBytes;
      seenBytes = Math.max(before, bytes());
      return seenBytes - before;
    }

    private long bytes() {
      try {
        return file.read().readBytes().orElseThrow(() -> new IOException("no read_bytes"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException e) {
        // It was only read.
      }
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
    OptionalLong number = procfs.threadNumber();
    Merge merge = new Merge(number.orElseThrow(() -> untold("the number of a thread")));
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
      try (Counter counter = running.counter) {
        endedBytes += counter.bytesSinceLast();
      }
    }
    if (merges.isEmpty()) {
      rest();
    }
  }

  /** How many bytes others have begun to read since this was last asked; 0 the first time. */
  synchronized long bytesSinceLast() {
    if (merges.isEmpty()) {
      return 0;
    }
    if (process == null) {
      process = counter(procfs.selfIoFile().orElseThrow(() -> untold("/proc/self/io")));
      merges.values().forEach(this::open);
      return 0;
    }
    // The process first: what a merge reads meanwhile is taken off the next time.
    long others = process.bytesSinceLast() - endedBytes - aheadBytes;
    for (Merge merge : merges.values()) {
      others -= merge.counter.bytesSinceLast();
    }
    endedBytes = 0;
    aheadBytes = Math.max(0, -others);
    return Math.max(0, others);
  }

  /** Nobody will ask for a while. */
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

  /** And no merge will tell that it ends. */
  synchronized void forget() {
    rest();
    merges.clear();
  }

  private void open(Merge merge) {
    merge.counter =
        counter(
            procfs
                .threadIoFile(merge.threadNumber)
                .orElseThrow(() -> untold("/proc/self/task/" + merge.threadNumber + "/io")));
  }

  private static Counter counter(IoFile file) {
    try {
      return new Counter(file);
    } catch (RuntimeException e) {
      try (file) {
        throw e;
      } catch (IOException closing) {
        throw new UncheckedIOException(closing);
      }
    }
  }

  private static UncheckedIOException untold(String what) {
    return new UncheckedIOException(new IOException("the kernel does not tell " + what));
  }
}
