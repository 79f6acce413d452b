package io.weir.stress.arm.meters;

import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.run.MergeFigures;
import io.weir.run.Values;
import io.weir.time.NanoClock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What merges read from storage, page faults of mapped files included, and how much of it only to
 * verify their input: each format of Lucene reads a file from end to end to verify it, then reads
 * the same bytes again to merge them, from the disk if they are no longer in memory.
 *
 * <p>The kernel counts the reads of each thread. The share of verification is sampled: the bytes
 * and the time between two looks count for what the thread was doing at the second look. Helper
 * threads within one merge are not counted.
 *
 * <p><b>Threads:</b> {@link #begin} and {@link #end} from the thread that merges, the rest from
 * any.
 */
public final class MergeReads {

  /** The method of Lucene that verifies a file, called by every format and by Weir. */
  private static final String VERIFIES = "checksumEntireFile";

  /**
   * Of merges that have ended and those that run.
   *
   * @param bytes fetched from storage
   * @param verifyBytes those of them that were fetched to verify
   * @param verifyNanos time spent on that, summed over merges
   */
  record Totals(long bytes, long verifyBytes, long verifyNanos) {

    Values since(Totals start) {
      return Values.builder()
          .put(MergeFigures.READ_BYTES, bytes - start.bytes)
          .put(MergeFigures.VERIFY_BYTES, verifyBytes - start.verifyBytes)
          .put(MergeFigures.VERIFY_SECONDS, (verifyNanos - start.verifyNanos) / 1e9)
          .build();
    }
  }

  private final Procfs procfs;
  private final NanoClock clock;
  private final List<Merge> running = new CopyOnWriteArrayList<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong verifyBytes = new AtomicLong();
  private final AtomicLong verifyNanos = new AtomicLong();
  private volatile boolean unknown;

  MergeReads(Procfs procfs, NanoClock clock) {
    this.procfs = procfs;
    this.clock = clock;
  }

  /** The calling thread begins a merge. */
  void begin() {
    OptionalLong number = procfs.threadNumber();
    OptionalLong read = number.isPresent() ? readBytes(number.getAsLong()) : number;
    if (read.isPresent()) {
      running.add(new Merge(Thread.currentThread(), number.getAsLong(), read.getAsLong()));
    } else {
      unknown = true;
    }
  }

  /** The calling thread's last merge has ended. */
  void end() {
    for (int i = running.size() - 1; i >= 0; i--) {
      Merge merge = running.get(i);
      if (merge.thread == Thread.currentThread()) {
        merge.look(false);
        running.remove(merge);
        return;
      }
    }
  }

  /**
   * Looks at what the running merges are doing now. May wait for as long as one of them is in a
   * page fault; holds no lock that a merge needs.
   */
  void sample() {
    for (Merge merge : running) {
      merge.look(isVerifying(merge.thread));
    }
  }

  /** Until the last look; empty where the kernel does not report it. */
  Optional<Totals> totals() {
    return unknown
        ? Optional.empty()
        : Optional.of(new Totals(bytes.get(), verifyBytes.get(), verifyNanos.get()));
  }

  private static boolean isVerifying(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals(VERIFIES)) {
        return true;
      }
    }
    return false;
  }

  private OptionalLong readBytes(long threadNumber) {
    return procfs.threadIo(threadNumber).map(IoCounters::readBytes).orElse(OptionalLong.empty());
  }

  private final class Merge {
    private final Thread thread;
    private final long threadNumber;
    private long readBytes; // guarded by this
    private long lookedNanos; // guarded by this

    Merge(Thread thread, long threadNumber, long readBytes) {
      this.thread = thread;
      this.threadNumber = threadNumber;
      this.readBytes = readBytes;
      this.lookedNanos = clock.nanoTime();
    }

    synchronized void look(boolean verifying) {
      long nowNanos = clock.nanoTime();
      long read = readBytes(threadNumber).orElse(readBytes); // the thread may be gone
      bytes.addAndGet(read - readBytes);
      if (verifying) {
        verifyBytes.addAndGet(read - readBytes);
        verifyNanos.addAndGet(nowNanos - lookedNanos);
      }
      readBytes = read;
      lookedNanos = nowNanos;
    }
  }
}
