package io.weir.control;

import io.weir.merge.MergeYield;
import io.weir.procfs.Procfs;
import io.weir.time.NanoClock;
import java.time.Duration;

/**
 * Merges stand aside while others read from a disk that is busy: as long as the disk keeps tasks
 * waiting for a fifth of the time or more, a merge stands still for 20 ms after a read that
 * searches, reopens or anything else in this process began. A search that needs several reads one
 * after the other then has the disk to itself from its second read on.
 *
 * <p>For {@link io.weir.merge.RateLimitedMergeScheduler#setYield}; one for each scheduler. It only
 * acts where it pays: on a disk that keeps up, merges go on as if it were not there. It needs
 * {@code /proc/self/io} and the kernel's pressure information ({@code /proc/pressure/io}, which is
 * the whole machine's); where one of them is missing it does nothing.
 *
 * <p>A merge asks when it writes; and when it verifies its input if its reads pass a {@link
 * io.weir.store.PacedMergeReadsDirectory}. For most of the time in which it reads from the disk it
 * does one or the other.
 *
 * <p><b>Threads:</b> any. A look at the counters every 2 ms costs a few tens of microseconds of one
 * merge's thread; what is asked in between is answered from the last one. <b>Ownership:</b> keeps
 * files of the kernel open while merges run, and nothing afterwards.
 */
public final class ReadersFirst implements MergeYield {

  static final double LEAST_PRESSURE = 0.2;
  static final long HOLD_NANOS = Duration.ofMillis(20).toNanos();
  static final long LOOK_NANOS = Duration.ofMillis(2).toNanos();

  private final ForegroundReads reads;
  private final DiskPressure pressure; // guarded by this
  private final NanoClock clock;
  private long readBytes = -1; // guarded by this; -1 before the first look
  private long readNanos; // guarded by this
  private volatile long lookedNanos;
  private volatile boolean standAside;

  /** For the merges of this process. */
  public ReadersFirst() {
    this(ForegroundReads.OF_THIS_PROCESS, Procfs.SYSTEM, NanoClock.SYSTEM);
  }

  ReadersFirst(ForegroundReads reads, Procfs procfs, NanoClock clock) {
    this.reads = reads;
    this.pressure = new DiskPressure(procfs, clock);
    this.clock = clock;
    this.lookedNanos = clock.nanoTime() - LOOK_NANOS;
    this.readNanos = clock.nanoTime() - HOLD_NANOS;
  }

  @Override
  public boolean standAside() {
    if (clock.nanoTime() - lookedNanos >= LOOK_NANOS) {
      look();
    }
    return standAside;
  }

  @Override
  public void mergeBegins() {
    reads.mergeBegins();
  }

  @Override
  public void mergeEnds() {
    reads.mergeEnds();
  }

  private synchronized void look() {
    long nowNanos = clock.nanoTime();
    if (nowNanos - lookedNanos < LOOK_NANOS) {
      return; // another thread has just looked
    }
    long bytes = reads.bytes();
    if (readBytes >= 0 && bytes > readBytes) {
      readNanos = nowNanos;
    }
    readBytes = bytes;
    boolean busy = pressure.share() >= LEAST_PRESSURE; // at every look, so that it is the latest
    standAside = busy && nowNanos - readNanos < HOLD_NANOS;
    lookedNanos = nowNanos;
  }
}
