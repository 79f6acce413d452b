package io.weir.store;

import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.MappedInputs;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SliceHint;
import io.weir.store.held.HeapIndexInput;
import io.weir.store.reads.UnmapQueue;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.Constants;

/**
 * A directory that unmaps closed files and frees deleted ones later, on a thread that holds no
 * locks.
 *
 * <p>To unmap a file, the JVM needs a handshake with each of its threads. A merge thread in a page
 * fault responds only when the disk has read its page. Lucene closes files under its own locks. One
 * is the monitor of {@code SegmentDocValues}, which a reopen takes for each segment with updated
 * doc values, such as those of soft deletes. So a reopen would wait for a merge's reads. Here
 * {@code close} returns at once in a reopen, a commit, a merge, or a search that held the last
 * reference to a reader.
 *
 * <p>Clones and slices are those of the files below, so searches pay nothing. After {@code close} a
 * clone stays readable until the file is unmapped; without this layer reading it throws {@code
 * AlreadyClosedException}.
 *
 * <p>Files opened with {@code READONCE} are closed by the calling thread: their mapping is confined
 * to that thread and needs no handshake. Files on the heap are closed at once too.
 *
 * <p>Lucene may delete a file before it is unmapped. Its disk space is then freed when it is
 * unmapped, by an unmapping thread. Where the system refuses to delete mapped files, {@code
 * FSDirectory} tries again later, as it always does.
 *
 * <p>Lucene also deletes files under its locks, and so does a merge that is aborted. To free a
 * large file, the kernel waits for the pages that it is writing to the disk. So {@code deleteFile}
 * opens a large file, removes its name, and lets an unmapping thread close it, which frees the
 * space. The name is gone when {@code deleteFile} returns, so the writer may use it again. A
 * process that ends before leaves nothing behind: the kernel frees a file without a name. This
 * needs an {@code FSDirectory} at the bottom, and a system that deletes open files: not Windows.
 *
 * <p><b>Threads:</b> as the directory below; {@link UnmapQueue} describes the unmapping threads.
 *
 * <p><b>Ownership:</b> closing this waits until its own closed files are unmapped, then closes the
 * directory below. It waits at most 30 s, and not for a file or a disk that has stood still for so
 * long before.
 *
 * <p><b>Failure:</b> exceptions of the directory below. A failure to unmap or to free is counted,
 * and the first one is logged. A file that cannot be opened is deleted all the same.
 *
 * <p>Source: Lucene 10.5.1, {@code SegmentDocValues.decRef}, {@code MMapDirectory}; JDK 25, {@code
 * ScopedMemoryAccess.closeScope0}.
 */
public final class DeferredUnmapDirectory extends ForwardingDirectory {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  /** Smaller files are freed at once: that takes no longer than to open them. */
  static final long LARGE_BYTES = 1 << 20;

  private final UnmapQueue.Owner mappings;
  private final Duration closeTimeout;

  /** Wraps the directory that maps the files of an index. */
  public DeferredUnmapDirectory(Directory in) {
    this(in, UnmapQueue.shared(), CLOSE_TIMEOUT);
  }

  DeferredUnmapDirectory(Directory in, UnmapQueue queue, Duration closeTimeout) {
    super(in);
    this.mappings = queue.new Owner(Disk.of(in));
    this.closeTimeout = closeTimeout;
  }

  /** The figures so far. */
  public UnmapSnapshot snapshot() {
    return mappings.snapshot();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    boolean closesAtOnce =
        OpenHints.isReadOnce(context)
            || input instanceof HeapIndexInput
            || MappedInputs.isNeverMapped(input);
    return closesAtOnce ? input : new DeferredUnmapInput(input, mappings);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    Optional<FileChannel> held = hold(name);
    try {
      in.deleteFile(name);
    } finally {
      held.ifPresent(mappings::close);
    }
  }

  /** Opens a file, if it is large, so that its space outlives its name. */
  private Optional<FileChannel> hold(String name) {
    if (Constants.WINDOWS || !(FilterDirectory.unwrap(in) instanceof FSDirectory files)) {
      return Optional.empty();
    }
    try {
      return in.fileLength(name) < LARGE_BYTES
          ? Optional.empty()
          : Optional.of(FileChannel.open(files.getDirectory().resolve(name)));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // if that matters, the deletion fails too
    }
  }

  @Override
  public void close() throws IOException {
    int pending = mappings.drain(closeTimeout);
    if (pending > 0) {
      OnceLog.write(
          DeferredUnmapDirectory.class,
          Level.WARNING,
          pending + " files of a closed directory are still held; they are released later");
    }
    in.close();
  }

  /**
   * A mapped file that another thread unmaps after it is closed. Only the opened input is of this
   * class; clones and slices are the file's own.
   *
   * <p><b>Threads:</b> one at a time, as any input; {@link #close} by any.
   */
  private static final class DeferredUnmapInput extends ForwardingIndexInput {

    private final UnmapQueue.Owner mappings;
    private boolean closed;

    DeferredUnmapInput(IndexInput in, UnmapQueue.Owner mappings) {
      super(in);
      this.mappings = mappings;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        mappings.close(in);
      }
    }

    private void ensureOpen() {
      if (closed) {
        throw new AlreadyClosedException("Already closed: " + this);
      }
    }

    @Override
    public byte readByte() throws IOException {
      ensureOpen();
      return in.readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      ensureOpen();
      in.readBytes(bytes, offset, length);
    }

    @Override
    public void seek(long position) throws IOException {
      ensureOpen();
      in.seek(position);
    }

    @Override
    public IndexInput clone() {
      ensureOpen();
      return super.clone();
    }

    @Override
    protected IndexInput slice(String name, long offset, long length, SliceHint hint)
        throws IOException {
      ensureOpen();
      return super.slice(name, offset, length, hint);
    }

    @Override
    public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
      ensureOpen();
      return super.randomAccessSlice(offset, length);
    }
  }
}
