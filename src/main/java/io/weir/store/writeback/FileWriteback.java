package io.weir.store.writeback;

import io.weir.store.WritebackSnapshot;
import io.weir.store.pages.Forecast;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;

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
 * the caller only if it is a {@link WritebackMedium.LostWriteException}, through the {@link
 * LossHandler}. Linux reports each failed write once to every descriptor that is open at that time.
 * A descriptor opened later gets the report only if no other has seen it (before 4.13: only the
 * first to ask). Lucene syncs a finished file on a descriptor that it opens at that time, after the
 * waits on the descriptor here. So the report that would fail Lucene's sync is consumed here, and
 * the loss must be handled here.
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
  private final Optional<Forecast> forecast;
  private final Counters counters;
  private final LossHandler losses;
  private final LongConsumer leftAlone;
  private final NanoClock clock;

  private WritebackMedium.WritebackFile file; // null before the first range and after the last
  private boolean ended;
  private boolean faulty;
  private long startedTo;
  private long awaitedTo;
  private long keptFrom = Long.MAX_VALUE;

  /**
   * For a file that is empty.
   *
   * @param forecast what to keep in the page cache; empty to keep everything
   * @param leftAlone accepts the length of the finished file if none of it was started
   */
  public FileWriteback(
      String name,
      WritebackMedium medium,
      Optional<Forecast> forecast,
      Counters counters,
      LossHandler losses,
      LongConsumer leftAlone,
      NanoClock clock) {
    this.name = name;
    this.medium = medium;
    this.forecast = forecast;
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
    if (file != null && forecast.isPresent()) {
      keptFrom = length - Forecast.ENDS_BYTES;
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
      attempt(() -> file = medium.opener().apply(name));
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
    if (!ended && forecast.isPresent()) {
      attempt(() -> keepWanted(awaitedTo, Math.min(awaitedTo + bytes, keptFrom)));
    }
    if (!ended) {
      long before = inFlightRanges();
      awaitedTo += bytes;
      counters.landed(before - inFlightRanges());
    }
  }

  /** Drops what readers will not look for, and makes the rest outlast what others read. */
  private void keepWanted(long from, long to) throws IOException {
    Forecast readers = forecast.orElseThrow();
    readers.unwanted(from, to, (at, length) -> counters.dropped(file.drop(at, length)));
    readers.wanted(from, to, file::use);
  }

  /** The number of ranges in flight; only the last range may be shorter. */
  private long inFlightRanges() {
    return Math.ceilDiv(startedTo - awaitedTo, medium.rangeBytes());
  }

  private void closeFile() throws IOException {
    WritebackMedium.WritebackFile closing = file;
    file = null;
    if (closing != null) {
      closing.close();
    }
  }

  /**
   * Runs a step; on failure counts it, closes the file and returns the exception; otherwise null.
   */
  private Exception attempt(IORunnable step) {
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
    if (failure instanceof WritebackMedium.LostWriteException loss) {
      losses.lost(name, loss);
    }
  }

  /**
   * An output whose bytes go to the disk soon after they were written. It forwards all calls and
   * counts the bytes; it splits large writes and copies at the ends of ranges.
   *
   * <p><b>Threads:</b> one at a time, as any output. Writes wait while the disk is behind by more
   * than the window.
   *
   * <p><b>Ownership:</b> closes the output below and its own handle of the file.
   *
   * <p><b>Failure:</b> exceptions of the output below, and those of the {@link LossHandler} for a
   * lost write. The latter may also come from {@link #close}; everything is closed then.
   */
  public static final class Output extends FilterIndexOutput {

    private final FileWriteback writeback;
    private long length;
    private long nextLength;
    private boolean closed;

    /** Writes to {@code out}, whose file {@code writeback} sends to the disk. */
    public Output(IndexOutput out, FileWriteback writeback) {
      super("WritebackIndexOutput(" + out + ")", out.getName(), out);
      this.writeback = writeback;
      this.length = out.getFilePointer();
      this.nextLength = writeback.nextLength();
    }

    @Override
    public void writeByte(byte b) throws IOException {
      out.writeByte(b);
      grown(Byte.BYTES);
    }

    @Override
    public void writeShort(short i) throws IOException {
      out.writeShort(i);
      grown(Short.BYTES);
    }

    @Override
    public void writeInt(int i) throws IOException {
      out.writeInt(i);
      grown(Integer.BYTES);
    }

    @Override
    public void writeLong(long i) throws IOException {
      out.writeLong(i);
      grown(Long.BYTES);
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) throws IOException {
      int done = 0;
      do {
        int piece = (int) Math.min(length - done, room());
        out.writeBytes(b, offset + done, piece);
        grown(piece);
        done += piece;
      } while (done < length);
    }

    @Override
    public void copyBytes(DataInput input, long numBytes) throws IOException {
      long left = numBytes;
      do {
        long piece = Math.min(left, room());
        out.copyBytes(input, piece);
        grown(piece);
        left -= piece;
      } while (left > 0);
    }

    /** The bytes until writeback has work to do; always more than 0. */
    private long room() {
      return nextLength - length;
    }

    private void grown(long bytes) throws IOException {
      length += bytes;
      if (length >= nextLength) {
        try {
          writeback.grownTo(length);
        } finally {
          nextLength =
              writeback.nextLength(); // otherwise there would never be room for the next write
        }
      }
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try {
        out.close();
        writeback.finish(length);
      } finally {
        writeback.end();
      }
    }
  }

  /**
   * The counters of writeback in one directory; also logs its faults.
   *
   * <p><b>Threads:</b> any; nothing blocks.
   */
  public static final class Counters {

    private final LongAdder startedRanges = new LongAdder();
    private final LongAdder inFlightRanges = new LongAdder();
    private final LongAdder startedBytes = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private final LongAdder lostWrites = new LongAdder();
    private final LongAdder droppedBytes = new LongAdder();
    private final OnceLog fault = new OnceLog(Counters.class);

    /** The write of a range was started. */
    public void started(long bytes) {
      startedRanges.increment();
      inFlightRanges.increment();
      startedBytes.add(bytes);
    }

    /** Ranges were waited for, or are left to the kernel. */
    public void landed(long ranges) {
      inFlightRanges.add(-ranges);
    }

    void waited(long nanos) {
      waitNanos.add(nanos);
    }

    /** Pages of merge output were dropped. */
    public void dropped(long bytes) {
      droppedBytes.add(bytes);
    }

    /** Counts a file whose smoothing ended early. */
    public void fault(String name, Exception failure) {
      faults.increment();
      if (failure instanceof WritebackMedium.LostWriteException) {
        lostWrites.increment();
        OnceLog.write(
            Counters.class,
            Level.ERROR,
            "a part of " + name + " could not be written to disk; its merge or copy ends",
            failure);
      } else {
        fault.warn(
            name + " is written without smoothing; later faults are counted and not logged",
            failure);
      }
    }

    /**
     * The figures now.
     *
     * @param lostFiles the number of {@link UnsyncedFiles#failedFiles}
     */
    public WritebackSnapshot snapshot(int lostFiles) {
      return new WritebackSnapshot(
          startedRanges.sum(),
          inFlightRanges.sum(),
          startedBytes.sum(),
          waitNanos.sum(),
          faults.sum(),
          droppedBytes.sum(),
          lostWrites.sum(),
          lostFiles);
    }
  }

  /** Handles a file that lost a part on the way to the disk. */
  @FunctionalInterface
  public interface LossHandler {

    /** Fails the write in progress, unless the file can be refused later. */
    void lost(String name, WritebackMedium.LostWriteException loss) throws IOException;
  }
}
