package io.weir.store.writeback;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * The writeback of one append-only file: starts the write of each finished range, and waits for the
 * range that leaves the window.
 *
 * <p>A range is finished when the file is {@link #LAG_BYTES} longer, because the outputs below may
 * still buffer that much. The file is opened when its first range is finished. Shorter files are
 * left alone, and reported: a merge writes many of them, but few bytes.
 *
 * <p><b>Threads:</b> the writer of the file, which waits here for the disk.
 *
 * <p><b>Failure:</b> the first failure ends the writeback of this file, and is counted. It reaches
 * the caller only if it is a {@link LostWriteException}, through the {@link LostWriteHandler}.
 * Linux reports each failed write once to every descriptor that is open at that time. A descriptor
 * opened later gets the report only if no other has seen it (before 4.13: only the first to ask).
 * Lucene syncs a finished file on a descriptor that it opens at that time, after the waits on the
 * descriptor here. So the report that would fail Lucene's sync is consumed here, and the loss must
 * be handled here.
 *
 * <p>Source: Linux, {@code fs/sync.c} (waiting reports errors, starting does not), {@code
 * mm/filemap.c} ({@code file_check_and_advance_wb_err}), {@code lib/errseq.c} ({@code
 * errseq_sample}); {@code fdatasync} asks in the same way.
 */
public final class FileWriteback {

  /** More than the 8 KiB that Lucene's file outputs buffer. */
  public static final long LAG_BYTES = 64 << 10;

  private final String name;
  private final WritebackMedium medium;
  private final boolean dropWritten;
  private final WritebackCounters counters;
  private final LostWriteHandler losses;
  private final LongConsumer leftAlone;
  private final NanoClock clock;

  private WritebackFile file; // null before the first range and after the last
  private boolean ended;
  private boolean faulty;
  private long startedTo;
  private long awaitedTo;

  /**
   * For a file that is empty.
   *
   * @param leftAlone accepts the length of the finished file if none of it was started
   */
  public FileWriteback(
      String name,
      WritebackMedium medium,
      boolean dropWritten,
      WritebackCounters counters,
      LostWriteHandler losses,
      LongConsumer leftAlone,
      NanoClock clock) {
    this.name = name;
    this.medium = medium;
    this.dropWritten = dropWritten;
    this.counters = counters;
    this.losses = losses;
    this.leftAlone = leftAlone;
    this.clock = clock;
  }

  /** The file length at which {@link #grownTo} has work to do next. */
  long nextLength() {
    return ended ? Long.MAX_VALUE : startedTo + medium.rangeBytes() + LAG_BYTES;
  }

  /** The file has grown to this length; its end may still be in a buffer. */
  void grownTo(long length) throws IOException {
    while (length >= nextLength()) {
      start(medium.rangeBytes());
      if (startedTo - awaitedTo > medium.windowRanges() * medium.rangeBytes()) {
        await(medium.rangeBytes());
      }
    }
  }

  /** The file is complete, has this length, and was handed to the kernel entirely. */
  void finish(long length) throws IOException {
    while (file != null && medium.windowRanges() > 0 && length > startedTo) {
      start(Math.min(length - startedTo, medium.rangeBytes()));
    }
    if (file != null && dropWritten) {
      await(startedTo - awaitedTo);
    }
    boolean unstarted = startedTo == 0 && !ended;
    end();
    if (unstarted && length > 0) {
      leftAlone.accept(length);
    }
  }

  /** Ends the writeback of this file; writes in progress are left to the kernel. */
  void end() {
    if (!ended) {
      ended = true;
      counters.landed(inFlightRanges());
      attempt(this::closeFile);
    }
  }

  private void start(long bytes) throws IOException {
    if (file == null) {
      attempt(() -> file = medium.opener().open(name));
    }
    if (file != null) {
      failIfLost(attempt(() -> file.start(startedTo, bytes)));
    }
    if (!ended) {
      startedTo += bytes;
      counters.started(bytes);
    }
  }

  private void await(long bytes) throws IOException {
    if (!ended) {
      failIfLost(attempt(() -> file.await(awaitedTo, bytes)));
    }
    if (!ended && dropWritten) {
      attempt(() -> counters.dropped(file.drop(awaitedTo, bytes)));
    }
    if (!ended) {
      long before = inFlightRanges();
      awaitedTo += bytes;
      counters.landed(before - inFlightRanges());
    }
  }

  /** The number of ranges in flight; only the last range may be shorter. */
  private long inFlightRanges() {
    return Math.ceilDiv(startedTo - awaitedTo, medium.rangeBytes());
  }

  private void closeFile() throws IOException {
    WritebackFile closing = file;
    file = null;
    if (closing != null) {
      closing.close();
    }
  }

  /**
   * Runs a step; on failure counts it, closes the file and returns the exception; otherwise null.
   */
  private Exception attempt(Step step) {
    long beganNanos = clock.nanoTime();
    Exception failure = null;
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    counters.waited(clock.nanoTime() - beganNanos);
    if (failure != null) {
      if (!faulty) {
        faulty = true;
        counters.fault(name, failure);
      }
      end();
    }
    return failure;
  }

  private void failIfLost(Exception failure) throws IOException {
    if (failure instanceof LostWriteException loss) {
      losses.lost(name, loss);
    }
  }

  private interface Step {
    void run() throws IOException;
  }
}
