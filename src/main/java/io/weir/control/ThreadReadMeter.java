package io.weir.control;

import io.weir.merge.MergeReadMeter;
import io.weir.procfs.IoFile;
import io.weir.procfs.Procfs;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Counts what merges read by the kernel's counters of their threads, {@code
 * /proc/self/task/*}{@code /io}: bytes that were fetched from storage, page faults of mapped files
 * included, and not what the page cache had. The kernel counts a read when it is submitted. What it
 * reads ahead counts for the thread that made it do so.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> where the counters are missing or denied nothing is
 * counted; that is logged once.
 */
public final class ThreadReadMeter implements MergeReadMeter {

  private static final OnceLog LOG = new OnceLog(ThreadReadMeter.class);

  private final Procfs procfs;

  /** For this process. */
  public ThreadReadMeter() {
    this(Procfs.SYSTEM);
  }

  ThreadReadMeter(Procfs procfs) {
    this.procfs = procfs;
  }

  @Override
  public Optional<Counter> ofCallingThread() {
    OptionalLong number = procfs.threadNumber();
    Optional<IoFile> file =
        number.isPresent() ? procfs.threadIoFile(number.getAsLong()) : Optional.empty();
    Optional<Counter> counter = file.flatMap(ThreadReadMeter::counter);
    if (counter.isEmpty()) {
      LOG.log(Level.INFO, "what merges read is not counted: /proc/self/task/*/io cannot be read");
    }
    return counter;
  }

  /** Empty if the file cannot be read. */
  private static Optional<Counter> counter(IoFile file) {
    try {
      return Optional.of(ReadCounter.of(file));
    } catch (UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /**
   * Counts the bytes that a process or a thread reads from storage between two looks.
   *
   * <p><b>Threads:</b> one at a time. <b>Ownership:</b> owns the file. <b>Failure:</b> {@link
   * UncheckedIOException} if it cannot be read.
   */
  static final class ReadCounter implements MergeReadMeter.Counter {

    private final IoFile file;
    private long seenBytes;

    private ReadCounter(IoFile file) {
      this.file = file;
      this.seenBytes = bytes();
    }

    /** Counts from now on; closes the file if it cannot be read. */
    static ReadCounter of(IoFile file) {
      try {
        return new ReadCounter(file);
      } catch (RuntimeException e) {
        closeQuietly(file);
        throw e;
      }
    }

    @Override
    public long bytesSinceLast() {
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
      closeQuietly(file);
    }

    private static void closeQuietly(IoFile file) {
      try {
        file.close();
      } catch (IOException e) {
        // Nothing was written.
      }
    }
  }
}
