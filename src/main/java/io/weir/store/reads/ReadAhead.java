package io.weir.store.reads;

import io.weir.time.OnceLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Brings parts of a file into the page cache before they are read.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> throws nothing; the parts are then read without it.
 */
@FunctionalInterface
public interface ReadAhead extends AutoCloseable {

  /** For a file that needs none. */
  ReadAhead NONE = (offset, length) -> {};

  /** Returns when these bytes of the file are in memory, or when they cannot be read. */
  void fetch(long offset, long length);

  /** Closes what it has opened; a later {@link #fetch} does nothing. */
  @Override
  default void close() {}

  /**
   * Reads parts of a file ahead by ordinary reads, and throws the bytes away: the page cache has
   * them then.
   *
   * <p>The kernel reads ahead for an ordinary read, whatever advice a mapping of the same file has.
   * The bytes are copied once more in memory, which takes far less time than merging them.
   *
   * <p><b>Threads:</b> any. <b>Ownership:</b> opens the file at the first {@link #fetch}, and
   * closes it by {@link #close}. A fetch uses {@link #CHUNK_BYTES} outside the heap; the process
   * keeps a few of these for later.
   *
   * <p><b>Failure:</b> is counted and logged the first time; the file is not read ahead any more.
   */
  public static final class OfFile implements ReadAhead {

    /** What the kernel itself reads ahead by default. */
    static final int CHUNK_BYTES = 128 << 10;

    /** Of the process: as many as fetches run at once. More are left to the garbage collector. */
    private static final BlockingQueue<ByteBuffer> FREE_BUFFERS = new ArrayBlockingQueue<>(16);

    /** What was read ahead in one directory. */
    public static final class Account {

      private final LongAdder bytes = new LongAdder();
      private final LongAdder faults = new LongAdder();
      private final OnceLog fault = new OnceLog(OfFile.class);

      /** The bytes that were read ahead so far. */
      public long bytes() {
        return bytes.sum();
      }

      /** The files that could not be read ahead so far. */
      public long faults() {
        return faults.sum();
      }

      private void fault(Path file, Throwable failure) {
        faults.increment();
        fault.warn(
            file
                + " cannot be read ahead; merges read it as they would without Weir. Later faults"
                + " are counted, not logged",
            failure);
      }
    }

    private final Path file;
    private final Account account;

    private FileChannel channel; // guarded by this; null until it is first needed
    private volatile boolean ended; // closed, or failed

    /** Reads {@code file}, which is not opened yet. */
    public OfFile(Path file, Account account) {
      this.file = file;
      this.account = account;
    }

    @Override
    public void fetch(long offset, long length) {
      try {
        FileChannel open = open();
        if (open != null && !ended) {
          account.bytes.add(read(open, offset, offset + length));
        }
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        if (!ended) { // or it was closed while it was read
          account.fault(file, e);
          close();
        }
      }
    }

    /** Null when it has ended before. */
    private synchronized FileChannel open() throws IOException {
      if (channel == null && !ended) {
        channel = FileChannel.open(file, StandardOpenOption.READ);
      }
      return channel;
    }

    private static long read(FileChannel channel, long offset, long end) throws IOException {
      ByteBuffer free = FREE_BUFFERS.poll();
      ByteBuffer buffer = free == null ? ByteBuffer.allocateDirect(CHUNK_BYTES) : free;
      long at = offset;
      try {
        while (at < end) {
          buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
          int count = channel.read(buffer, at);
          if (count < 0) {
            break;
          }
          at += count;
        }
      } finally {
        FREE_BUFFERS.offer(buffer);
      }
      return at - offset;
    }

    @Override
    public synchronized void close() {
      ended = true;
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException e) {
        account.fault(file, e);
      }
    }
  }
}
