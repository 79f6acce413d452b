package io.weir.control;

import io.weir.merge.MergeYield;

/**
 * Merges stand aside while others read from a disk that is busy: as long as the disk keeps tasks
 * waiting for a fifth of the time or more, a merge stands still for 20 ms after a read that
 * searches, reopens or anything else in this process began. A search that needs several reads one
 * after the other then has the disk to itself from its second read on.
 *
 * <p>For {@link io.weir.merge.RateLimitedMergeScheduler#setYield}; any number of schedulers may
 * have one, and all of a process go by the same look. It only acts where it pays: on a disk that
 * keeps up, merges go on as if it were not there. It needs {@code /proc/self/io}, that of each
 * thread, and the kernel's pressure information ({@code /proc/pressure/io}, which is the whole
 * machine's); where one of them is missing or denied it does nothing, and {@link #reason} says why.
 *
 * <p>A merge asks when it writes; and when it verifies its input if its reads pass a {@link
 * io.weir.store.MergeReadsDirectory}. For most of the time in which it reads from the disk it does
 * one or the other.
 *
 * <p><b>Threads:</b> any. While the disk keeps up, one of them reads the pressure twice a second.
 * Under pressure one looks at the counters of all merging threads every 2 ms, less often when that
 * takes more than 0.1 ms. What is asked in between is answered from the last look, without a lock.
 * <b>Ownership:</b> keeps files of the kernel open under pressure, while merges run.
 * <b>Failure:</b> nothing is thrown; what cannot be read is logged once.
 */
public final class ReadersFirst implements MergeYield {

  private final ReaderWatch watch;

  /** For the merges of this process. */
  public ReadersFirst() {
    this(ReaderWatch.OF_THIS_PROCESS);
  }

  ReadersFirst(ReaderWatch watch) {
    this.watch = watch;
  }

  /** Whether the kernel tells what it needs. */
  public boolean isActive() {
    return watch.isActive();
  }

  /** Why it is active, or is not. */
  public String reason() {
    return watch.reason();
  }

  @Override
  public boolean standAside() {
    return watch.standAside();
  }

  @Override
  public void mergeBegins() {
    watch.mergeBegins();
  }

  @Override
  public void mergeEnds() {
    watch.mergeEnds();
  }
}
