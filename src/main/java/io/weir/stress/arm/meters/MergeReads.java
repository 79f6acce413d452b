package io.weir.stress.arm.meters;

import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.time.NanoClock;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What merges fetch from storage, page faults of mapped files included, and how much of it only to
 * verify their input, which each format of Lucene does from end to end before it reads the same
 * bytes again to merge them.
 *
 * <p>The kernel counts what it fetched for each thread. Which of it was to verify is a sample: what
 * was fetched, and the time that passed, between two looks goes to what the thread was doing at the
 * second. Helping threads within one merge are not seen.
 *
 * <p><b>Threads:</b> {@link #begin} and {@link #end} from the thread that merges, the rest from
 * any.
 */
public final class MergeReads {

  /** The method of Lucene that verifies a file, in every format. */
  private static final String VERIFIES = "checkIntegrity";

  /**
   * Of merges that have ended and those that run.
   *
   * @param bytes fetched from storage
   * @param verifyBytes those of them that were fetched to verify
   * @param verifyNanos time that passed meanwhile, added over merges
   */
  record Totals(long bytes, long verifyBytes, long verifyNanos) {}

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
   * Looks what the merges that run are doing now. May wait for as long as one of them stands in a
   * page fault, and holds up nobody meanwhile.
   */
  void sample() {
    for (Merge merge : running) {
      merge.look(isVerifying(merge.thread));
    }
  }

  /** Until the last look; null where the kernel does not tell. */
  Totals totals() {
    return unknown ? null : new Totals(bytes.get(), verifyBytes.get(), verifyNanos.get());
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
