package io.weir.store;

import io.weir.lucene.MappedInputs;
import io.weir.lucene.OpenHints;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A directory that unmaps closed files later, on a thread that holds no locks.
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
 * unmapped, by the unmapping thread. Where the system refuses to delete mapped files, {@code
 * FSDirectory} tries again later, as it always does.
 *
 * <p><b>Threads:</b> as the directory below; {@link UnmapQueue} describes the unmapping thread.
 *
 * <p><b>Ownership:</b> closing this waits at most 30 s until all closed files are unmapped, then
 * closes the directory below.
 *
 * <p><b>Failure:</b> exceptions of the directory below. A failure to unmap is counted, and the
 * first one is logged.
 *
 * <p>Source: Lucene 10.5.1, {@code SegmentDocValues.decRef}, {@code MMapDirectory}; JDK 25, {@code
 * ScopedMemoryAccess.closeScope0}.
 */
public final class DeferredUnmapDirectory extends ForwardingDirectory {

  private static final System.Logger LOGGER =
      System.getLogger(DeferredUnmapDirectory.class.getPackageName());

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final UnmapQueue.Owner mappings;
  private final Duration closeTimeout;

  /** Wraps the directory that maps the files of an index. */
  public DeferredUnmapDirectory(Directory in) {
    this(in, UnmapQueue.shared(), CLOSE_TIMEOUT);
  }

  DeferredUnmapDirectory(Directory in, UnmapQueue queue, Duration closeTimeout) {
    super(in);
    this.mappings = queue.new Owner();
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
  public void close() throws IOException {
    int pending = mappings.drain(closeTimeout);
    if (pending > 0) {
      LOGGER.log(
          Level.WARNING,
          () -> pending + " files of a closed directory are still mapped; they are unmapped later");
    }
    in.close();
  }
}
