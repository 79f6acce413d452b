package io.weir.store.reads;

import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.LinuxCalls;
import io.weir.store.kernel.TouchedPages;
import io.weir.time.OnceLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * Ordinary reads of a file that searches read through a mapping, and what merges do to its pages.
 *
 * <p>The kernel reads ahead for an ordinary read, whatever advice a mapping of the same file has. A
 * page that was read so can be dropped from the page cache again; one that a mapping has touched
 * cannot.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> opens the file at the first read, and closes it by
 * {@link #close}. {@link #fetch} uses {@link #CHUNK_BYTES} outside the heap; the process keeps a
 * few of these for later.
 *
 * <p><b>Failure:</b> is counted and logged the first time; this file is not read in this way any
 * more, or its pages are left to the kernel. No method throws.
 */
public final class OrdinaryReads implements Closeable {

  /** What the kernel itself reads ahead by default. */
  static final int CHUNK_BYTES = 128 << 10;

  /**
   * No block of the page cache reaches over a multiple of this, with pages of 4 KiB: a block begins
   * at a multiple of its length. (Source: Linux 6.18, {@code mm/readahead.c}.)
   */
  static final int BLOCK_BYTES = 2 << 20;

  private static final int NONE = -1;

  /** Of the process: as many as fetches run at once. More are left to the garbage collector. */
  private static final BlockingQueue<ByteBuffer> FREE_BUFFERS = new ArrayBlockingQueue<>(16);

  /** What merges read of the files of one directory. */
  public static final class Account {

    private final LongAdder bytes = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private final OnceLog fault = new OnceLog(OrdinaryReads.class);
    private final OnceLog blindness = new OnceLog(OrdinaryReads.class);
    private volatile Optional<String> obstacle = Optional.empty();

    /** The bytes that merges have read so far. */
    public long bytes() {
      return bytes.sum();
    }

    /** The bytes of the input of merges that were dropped from the page cache so far. */
    public long droppedBytes() {
      return dropped.sum();
    }

    /** The files that could not be read so far. */
    public long faults() {
      return faults.sum();
    }

    /** Why the pages of a file could not be looked at or dropped, the last time; mostly empty. */
    public Optional<String> obstacle() {
      return obstacle;
    }

    private void blind(Path file, Throwable failure) {
      obstacle = Optional.of(failure.toString());
      blindness.warn(
          "what is in the page cache of "
              + file
              + " cannot be seen or dropped; the kernel decides what stays. Later faults are not"
              + " logged",
          failure);
    }

    private void fault(Path file, Throwable failure) {
      faults.increment();
      fault.warn(
          file
              + " cannot be read beside its mapping; merges read it as they would without Weir."
              + " Later faults are counted, not logged",
          failure);
    }
  }

  private final Optional<Path> path;
  private final Optional<LinuxCalls> calls;
  private final Account account;

  private FileChannel channel; // guarded by this; null until it is first needed
  private int descriptor = NONE; // guarded by this; for calls
  private volatile boolean ended; // closed, or failed
  private volatile boolean blind; // its pages cannot be looked at or dropped

  /**
   * For the file at {@code path}, which is not opened yet; does nothing if there is none.
   *
   * @param calls to look at pages and to drop them; empty to do neither
   */
  public OrdinaryReads(Optional<Path> path, Optional<LinuxCalls> calls, Account account) {
    this.path = path;
    this.calls = calls;
    this.account = account;
    this.ended = path.isEmpty();
  }

  /** Of the file, if it is one of a file system. */
  Optional<Path> path() {
    return path;
  }

  /** Whether reads are possible, as far as known. */
  boolean isReadable() {
    return !ended;
  }

  /**
   * Fills the buffer from this position of the file.
   *
   * @return whether it is full; if not, its position is where it was
   */
  boolean read(ByteBuffer into, long position) {
    int begin = into.position();
    int count = into.remaining();
    return attempt(
        open -> {
          long at = position;
          while (into.hasRemaining()) {
            int now = open.read(into, at);
            if (now < 0) {
              throw new IOException("it ends at byte " + at);
            }
            at += now;
          }
          account.bytes.add(count);
        },
        () -> into.position(begin));
  }

  /** Brings these bytes of the file into memory, or returns when they cannot be read. */
  void fetch(long offset, long length) {
    attempt(open -> account.bytes.add(fetch(open, offset, offset + length, piece -> {})), () -> {});
  }

  /** The CRC-32 of these bytes of the file; empty if they cannot be read. */
  OptionalInt checksum(long offset, long length) {
    CRC32 checksum = new CRC32();
    boolean read =
        attempt(
            open -> {
              long count = fetch(open, offset, offset + length, checksum::update);
              account.bytes.add(count);
              if (count < length) {
                throw new IOException("it ends at byte " + (offset + count));
              }
            },
            () -> {});
    return read ? OptionalInt.of((int) checksum.getValue()) : OptionalInt.empty();
  }

  private static long fetch(FileChannel channel, long offset, long end, Consumer<ByteBuffer> pieces)
      throws IOException {
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
        pieces.accept(buffer.flip());
      }
    } finally {
      FREE_BUFFERS.offer(buffer);
    }
    return at - offset;
  }

  /** The pages of a part that are in the page cache; empty if that cannot be known. */
  public Optional<CachedPages> look(long offset, long length) {
    AtomicReference<CachedPages> seen = new AtomicReference<>();
    attemptPages(
        (kernel, open) -> {
          if (Files.isWritable(path.orElseThrow())) { // otherwise the kernel says that all are
            seen.set(CachedPages.look(kernel, open, offset, length));
          }
        });
    return Optional.ofNullable(seen.get());
  }

  /**
   * The pages of a part that this process has touched through its mappings; empty if it does not
   * map the file, or if that cannot be known.
   */
  Optional<CachedPages> touched(TouchedPages pages, long offset, long length) {
    return path.flatMap(file -> pages.look(file, offset, length));
  }

  /**
   * Drops pages that no process has mapped, except those that the part had when it was seen. The
   * kernel keeps a block of pages that is not wholly in the range: end it at {@link #BLOCK_BYTES}.
   */
  void drop(CachedPages except, long from, long to) {
    attemptPages(
        (kernel, open) ->
            except.uncached(
                from,
                to,
                (offset, bytes) -> {
                  drop(kernel, offset, bytes);
                  account.dropped.add(bytes);
                }));
  }

  /** Drops all pages that the part did not have when it was seen, has now, and no process maps. */
  public void dropAll(CachedPages except) {
    Optional<CachedPages> now = look(except.offset(), except.length());
    attemptPages(
        (kernel, open) ->
            except.uncached(
                except.offset(),
                except.offset() + except.length(),
                (offset, bytes) -> {
                  long cached = now.map(n -> n.bytes(offset, offset + bytes)).orElse(0L);
                  if (cached > 0) {
                    drop(kernel, offset, bytes);
                    account.dropped.add(cached);
                  }
                }));
  }

  /** Guarded, so that the descriptor is not closed, and another file's, meanwhile. */
  private synchronized void drop(LinuxCalls kernel, long offset, long bytes) throws IOException {
    if (!ended) {
      if (descriptor == NONE) {
        descriptor = kernel.open(path.orElseThrow());
      }
      kernel.dropRange(descriptor, offset, bytes);
    }
  }

  /** A use of the open file's pages. */
  @FunctionalInterface
  private interface PagesUse {
    void of(LinuxCalls kernel, FileChannel open) throws IOException;
  }

  /** A failure ends what is known of the pages, and no read. */
  private void attemptPages(PagesUse use) {
    if (ended || blind || calls.isEmpty()) {
      return;
    }
    try {
      FileChannel open = open();
      if (open != null) {
        use.of(calls.get(), open);
      }
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      if (!ended) {
        blind = true;
        account.blind(path.orElseThrow(), e);
      }
    }
  }

  /** A use of the open file. */
  @FunctionalInterface
  private interface Use {
    void of(FileChannel open) throws IOException;
  }

  private boolean attempt(Use use, Runnable otherwise) {
    if (ended) {
      return false;
    }
    try {
      FileChannel open = open();
      if (open != null) {
        use.of(open);
        return true;
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      otherwise.run();
      if (!ended) { // or it was closed while it was read
        account.fault(path.orElseThrow(), e);
        close();
      }
    }
    return false;
  }

  /** Null when it has ended before. */
  private synchronized FileChannel open() throws IOException {
    if (channel == null && !ended) {
      channel = FileChannel.open(path.orElseThrow(), StandardOpenOption.READ);
    }
    return channel;
  }

  /** Closes what it has opened; later reads do nothing. */
  @Override
  public synchronized void close() {
    ended = true;
    try {
      if (channel != null) {
        channel.close();
      }
      if (descriptor != NONE) {
        calls.orElseThrow().close(descriptor);
        descriptor = NONE;
      }
    } catch (IOException e) {
      account.fault(path.orElseThrow(), e);
    }
  }
}
