package io.weir.control;

import io.weir.merge.MergeYield;

/**
 * Makes merges yield to readers on a busy disk. A disk is busy while tasks wait for it a fifth of
 * the time or more. Then each read by a search, a reopen or other work of this process pauses
 * merges for 20 ms. So a search that needs several reads in a row has the disk to itself from its
 * second read on.
 *
 * <p>Pass it to {@link io.weir.merge.RateLimitedMergeScheduler#setYield} or {@link
 * io.weir.merge.MergeTracker#setYield}. Each of them may have its own; all of a process share one
 * decision. On a disk that keeps up it does nothing. It needs {@code /proc/self/io}, the same file
 * of each thread, and the kernel's I/O pressure: that of this process's control group (version 2)
 * if the kernel has one, otherwise the machine's, {@code /proc/pressure/io}. If one of them is
 * missing or denied it does nothing, and {@link #reason} says why; it tries again once a minute.
 *
 * <p>A merge asks when it writes. It also asks when it verifies its input, if its reads pass a
 * {@link io.weir.store.MergeReadsDirectory}. A merge that reads from the disk does one of these
 * most of the time.
 *
 * <p><b>Threads:</b> any. While the disk keeps up, one thread reads the pressure twice a second.
 * Under pressure, one thread reads the counters of all merging threads every 2 ms, or less often if
 * that takes more than 0.1 ms. Calls in between return the last result, without a lock.
 * <b>Ownership:</b> keeps kernel files open while merges run under pressure. <b>Failure:</b> no
 * method throws; the first failure is logged.
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

  /** Whether all the figures that it needs can be read. */
  public boolean isActive() {
    return watch.isActive();
  }

  /** Why it is active or inactive. */
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
