package io.weir.store;

import io.weir.time.NanoClock;
import java.io.IOException;

/**
 * The writeback of one file that grows at its end: starts each range when it is finished, and waits
 * for the one that leaves the window.
 *
 * <p>A range counts as finished when the file is {@link #LAG_BYTES} longer, because so much the
 * outputs below may still hold in their buffers. The file is opened when its first range is
 * finished: of files shorter than that, a merge writes many and little, and nothing is done.
 *
 * <p><b>Threads:</b> the one that writes the file, which waits here for the disk.
 *
 * <p><b>Failure:</b> the first failure ends the writeback of this file, and is counted. It reaches
 * the caller only if it is a {@link LostWriteException}, by way of the {@link LostWriteHandler}.
 * Linux reports each failed write once to every descriptor that is open at the time, but to a later
 * one only if it has not been reported yet (before 4.13: to the first that asks). Lucene syncs a
 * finished file on a descriptor that it opens then, and a wait here asks on ours before. So without
 * us the sync would fail, and with us it would pass: the loss must be dealt with here.
 *
 * <p>Source: Linux, {@code fs/sync.c} (waiting reports errors, starting does not), {@code
 * mm/filemap.c} ({@code file_check_and_advance_wb_err}), {@code lib/errseq.c} ({@code
 * errseq_sample}); {@code fdatasync} asks in the same way.
 */
final class FileWriteback {

  /** More than the 8 KiB that Lucene's file outputs gather before they write. */
  static final long LAG_BYTES = 64 << 10;

  private final String name;
  private final WritebackMedium medium;
  private final boolean dropWritten;
  private final WritebackCounters ledger;
  private final LostWriteHandler losses;
  private final NanoClock clock;

  private WritebackFile file; // null before the first range and after the last
  private boolean ended;
  private boolean faulty;
  private long startedTo;
  private long awaitedTo;

  FileWriteback(
      String name,
      WritebackMedium medium,
      boolean dropWritten,
      WritebackCounters ledger,
      LostWriteHandler losses,
      NanoClock clock) {
    this.name = name;
    this.medium = medium;
    this.dropWritten = dropWritten;
    this.ledger = ledger;
    this.losses = losses;
    this.clock = clock;
  }

  /** The length of the file at which {@link #grownTo} next has something to do. */
  long nextLength() {
    return ended ? Long.MAX_VALUE : startedTo + medium.rangeBytes() + LAG_BYTES;
  }

  /** The file is so long now, perhaps with its end still in a buffer. */
  void grownTo(long length) throws IOException {
    while (length >= nextLength()) {
      start(medium.rangeBytes());
      if (startedTo - awaitedTo > medium.windowRanges() * medium.rangeBytes()) {
        await(medium.rangeBytes());
      }
    }
  }

  /** The file is finished, has this length, and the kernel has all of it. */
  void finish(long length) throws IOException {
    while (file != null && medium.windowRanges() > 0 && length > startedTo) {
      start(Math.min(length - startedTo, medium.rangeBytes()));
    }
    if (file != null && dropWritten) {
      await(startedTo - awaitedTo);
    }
    end();
  }

  /** Nothing more will be done for this file; what is on its way is left to the kernel. */
  void end() {
    if (!ended) {
      ended = true;
      ledger.landed(inFlightRanges());
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
      ledger.started(bytes);
    }
  }

  private void await(long bytes) throws IOException {
    if (!ended) {
      failIfLost(attempt(() -> file.await(awaitedTo, bytes)));
    }
    if (!ended && dropWritten) {
      attempt(() -> ledger.dropped(file.drop(awaitedTo, bytes)));
    }
    if (!ended) {
      long before = inFlightRanges();
      awaitedTo += bytes;
      ledger.landed(before - inFlightRanges());
    }
  }

  /** Only the last range may be shorter. */
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

  /** What went wrong, by now counted, with the file closed; null if nothing did. */
  private Exception attempt(Step step) {
    long beganNanos = clock.nanoTime();
    Exception failure = null;
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    ledger.waited(clock.nanoTime() - beganNanos);
    if (failure != null) {
      if (!faulty) {
        faulty = true;
        ledger.fault(name, failure);
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
