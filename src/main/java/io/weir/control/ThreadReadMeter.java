package io.weir.control;

import io.weir.merge.MergeReadMeter;
import io.weir.procfs.IoFile;
import io.weir.procfs.Procfs;
import io.weir.time.OnceLog;
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
}
