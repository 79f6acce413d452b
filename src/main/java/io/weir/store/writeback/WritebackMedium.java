package io.weir.store.writeback;

import io.weir.store.WritebackMethod;
import io.weir.store.WritebackOptions;
import io.weir.store.kernel.ErrnoException;
import io.weir.store.kernel.FileStoreKind;
import io.weir.store.kernel.LinuxCalls;
import io.weir.time.OnceLog;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOFunction;

/**
 * The method of writeback in one directory, with the reason. It is chosen once, when the directory
 * is wrapped, by one harmless call on the directory itself, which creates nothing.
 *
 * <p>A successful call is not always effective: ZFS keeps file data outside the page cache, so
 * {@code sync_file_range} finds nothing there and reports success. Such file systems are recognized
 * by name.
 *
 * @param method the method
 * @param reason a sentence that explains the choice
 * @param rangeBytes bytes started at once
 * @param windowRanges maximum number of ranges in flight; 0 if a start always waits
 * @param opener opens a file of the directory by its name
 */
public record WritebackMedium(
    WritebackMethod method,
    String reason,
    long rangeBytes,
    int windowRanges,
    IOFunction<String, WritebackFile> opener) {

  /**
   * The minimum bytes between two forces of a file: each costs a journal commit and a flush of the
   * disk's cache.
   */
  static final long MIN_FORCE_BYTES = 4 << 20;

  /**
   * For the directory at the bottom of {@code in}. A denial is a reason for another method, not an
   * exception.
   *
   * @param kernel returns the calls, or throws {@link UnsupportedOperationException} with a reason
   */
  public static WritebackMedium of(
      Directory in, WritebackOptions options, Supplier<LinuxCalls> kernel) {
    if (options.isOff()) {
      return none("switched off");
    }
    if (FilterDirectory.unwrap(in) instanceof FSDirectory files) {
      Path path = files.getDirectory();
      return of(path, FileStoreKind.typeOf(path), options, kernel);
    }
    return none("not in a file system: " + FilterDirectory.unwrap(in).getClass().getSimpleName());
  }

  /** For a path in a file store of that type. */
  public static WritebackMedium of(
      Path directory, String storeType, WritebackOptions options, Supplier<LinuxCalls> kernel) {
    switch (FileStoreKind.of(storeType)) {
      case IN_MEMORY -> {
        return none(FileStoreKind.IN_MEMORY.describe(storeType));
      }
      case PAST_THE_PAGE_CACHE -> {
        return force(directory, options, FileStoreKind.PAST_THE_PAGE_CACHE.describe(storeType));
      }
      case ORDINARY -> {}
    }
    if (!directory.getFileSystem().equals(FileSystems.getDefault())) {
      return force(directory, options, "not the file system of the machine: " + directory);
    }
    try {
      LinuxCalls calls = kernel.get();
      probe(calls, directory);
      return new WritebackMedium(
          WritebackMethod.SYNC_FILE_RANGE,
          "sync_file_range answers",
          options.rangeBytes(),
          options.windowRanges(),
          name -> new RangeFile(calls, directory.resolve(name)));
    } catch (UnsupportedOperationException | IOException e) {
      return force(directory, options, e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      return force(directory, options, "calls to the kernel are refused: " + e);
    }
  }

  private static void probe(LinuxCalls calls, Path directory) throws IOException {
    int descriptor = calls.open(directory);
    try {
      calls.syncFileRange(descriptor, 0, 0, LinuxCalls.WRITE);
    } finally {
      calls.close(descriptor);
    }
  }

  private static WritebackMedium force(Path directory, WritebackOptions options, String reason) {
    long windowBytes = options.rangeBytes() * (options.windowRanges() + 1L);
    return new WritebackMedium(
        WritebackMethod.FDATASYNC,
        reason,
        Math.max(windowBytes, MIN_FORCE_BYTES),
        0,
        name -> new ForcedFile(directory.resolve(name)));
  }

  private static WritebackMedium none(String reason) {
    return new WritebackMedium(
        WritebackMethod.NONE,
        reason,
        0,
        0,
        name -> {
          throw new IOException("no writeback: " + reason);
        });
  }

  /**
   * A file whose ranges can be sent to the disk while another handle writes the file.
   *
   * <p><b>Threads:</b> one at a time. <b>Failure:</b> after a failure of any method the caller only
   * closes the file. A {@link LostWriteException} means that data of the file could not be written;
   * other exceptions say nothing about its data.
   */
  public interface WritebackFile extends Closeable {

    /** Starts to write the range; waits as little as possible. */
    void start(long offset, long bytes) throws IOException;

    /** Waits until the range has been written; fails if a part of it could not be. */
    void await(long offset, long bytes) throws IOException;

    /** Drops a written range from the page cache, and returns the bytes dropped. */
    long drop(long offset, long bytes) throws IOException;

    /**
     * Marks a written range as used, so that the kernel evicts other pages first. What it has
     * evicted is read again.
     */
    void use(long offset, long bytes);
  }

  /**
   * Writeback by {@code sync_file_range} on its own read-only descriptor: writeback concerns the
   * file, not the descriptor that wrote it.
   *
   * <p>A range is started with {@code WRITE} alone, which submits each dirty page that is not
   * locked. It is awaited with all three flags, which also write the pages that the start has
   * skipped, because the kernel then writes for integrity and not only to clean pages.
   *
   * <p>Source: Linux, {@code fs/sync.c}, and the manual page.
   */
  private static final class RangeFile implements WritebackMedium.WritebackFile {

    private static final int WRITE_AND_WAIT =
        LinuxCalls.WAIT_BEFORE | LinuxCalls.WRITE | LinuxCalls.WAIT_AFTER;

    private static final int PIECE_BYTES = 64 << 10;

    private final LinuxCalls calls;
    private final Path path;
    private final int descriptor;
    private FileChannel channel; // null until it is needed
    private byte[] piece; // likewise
    private boolean unreadable;

    RangeFile(LinuxCalls calls, Path path) throws IOException {
      this.calls = calls;
      this.path = path;
      this.descriptor = calls.open(path);
    }

    @Override
    public void start(long offset, long bytes) throws IOException {
      sync(offset, bytes, LinuxCalls.WRITE);
    }

    @Override
    public void await(long offset, long bytes) throws IOException {
      sync(offset, bytes, WRITE_AND_WAIT);
    }

    private void sync(long offset, long bytes, int flags) throws IOException {
      try {
        calls.syncFileRange(descriptor, offset, bytes, flags);
      } catch (ErrnoException e) {
        throw e.isDataError() ? new LostWriteException(e) : e;
      }
    }

    @Override
    public long drop(long offset, long bytes) throws IOException {
      calls.dropRange(descriptor, offset, bytes);
      return bytes;
    }

    /**
     * The kernel takes pages that were read twice for used, if another part of the file was read in
     * between. A failure, such as an interrupt, says nothing about the file's data: from then on
     * the kernel decides.
     *
     * <p>Source: Linux 6.18, {@code filemap_read} in {@code mm/filemap.c}, {@code
     * folio_mark_accessed} in {@code mm/swap.c}.
     */
    @Override
    public void use(long offset, long bytes) {
      try {
        if (!unreadable) {
          for (long at = offset; at < offset + bytes; at += PIECE_BYTES) {
            int now = (int) Math.min(PIECE_BYTES, offset + bytes - at);
            read(at, now);
            read(0, 1);
            read(at, now);
          }
        }
      } catch (IOException | RuntimeException e) {
        unreadable = true;
      }
    }

    private void read(long offset, int bytes) throws IOException {
      if (channel == null) {
        channel = FileChannel.open(path, StandardOpenOption.READ);
        piece = new byte[PIECE_BYTES];
      }
      channel.read(ByteBuffer.wrap(piece, 0, bytes), offset);
    }

    @Override
    public void close() throws IOException {
      try {
        if (channel != null) {
          channel.close();
        }
      } finally {
        calls.close(descriptor);
      }
    }
  }

  /**
   * Writeback by {@link FileChannel#force force(false)} on its own channel. A write cannot be
   * started without waiting for it, and the whole file is always written.
   */
  public static final class ForcedFile implements WritebackMedium.WritebackFile {

    private final FileChannel channel;

    /** Opens the file. */
    public ForcedFile(Path path) throws IOException {
      // Windows can force only a file that is open for writing.
      this.channel = FileChannel.open(path, StandardOpenOption.WRITE);
    }

    @Override
    public void start(long offset, long bytes) {}

    /**
     * An earlier interrupt must not close the channel, as interruptible channels do. An interrupt
     * during the call closes it, and ends smoothing of this file.
     *
     * <p>Any other failure counts as a lost write: the JDK does not report the error number, and
     * nearly all errors of {@code fdatasync} on an open file concern its data.
     */
    @Override
    public void await(long offset, long bytes) throws IOException {
      boolean interrupted = Thread.interrupted();
      try {
        channel.force(false);
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        throw new LostWriteException(e);
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public long drop(long offset, long bytes) {
      return 0;
    }

    @Override
    public void use(long offset, long bytes) {}

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /**
   * The kernel reports that it could not write a part of a file. It may report that only once, so
   * the code that catches this must not ignore it.
   */
  public static final class LostWriteException extends IOException {

    private static final long serialVersionUID = 1;

    LostWriteException(IOException report) {
      super(report.getMessage(), report);
    }
  }

  /**
   * Logs which method smooths writes, and why, once for each method.
   *
   * <p><b>Threads:</b> any. <b>Failure:</b> none; a failing log is ignored.
   */
  public static final class MethodLog {

    /** The log of this process. */
    public static final MethodLog PROCESS = new MethodLog();

    private final Set<WritebackMethod> logged = ConcurrentHashMap.newKeySet();

    /** Logs the medium, unless its method was logged; returns it. */
    public WritebackMedium tell(WritebackMedium medium) {
      if (logged.add(medium.method())) {
        OnceLog.write(MethodLog.class, Level.INFO, text(medium));
      }
      return medium;
    }

    /** What is logged. */
    public static String text(WritebackMedium medium) {
      String how =
          switch (medium.method()) {
            case SYNC_FILE_RANGE -> "smoothed by sync_file_range";
            case FDATASYNC -> "smoothed by FileChannel.force";
            case NONE -> "not smoothed";
          };
      return "merge output is " + how + ": " + medium.reason();
    }
  }
}
