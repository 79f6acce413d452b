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
 * A directory whose mapped files are unmapped later than they are closed, on a thread that holds
 * nothing.
 *
 * <p>To unmap a file the JVM needs an answer from each of its threads. A merge thread in a page
 * fault answers only when the disk has read its page. Lucene closes files under locks of its own:
 * the monitor of {@code SegmentDocValues} for example, which a reopen takes for each segment with
 * updated doc values, as every soft delete makes one. So a reopen waits for a merge's reads. Here
 * {@code close} returns at once, whoever calls it: a reopen, a commit, a merge, or a search that
 * held the last reference to a reader.
 *
 * <p>Clones and slices are those of the files below, so searches pay nothing. After {@code close} a
 * clone can be read until the file is unmapped; without this layer that throws {@code
 * AlreadyClosedException}.
 *
 * <p>Files opened with {@code READONCE} are closed where they are: their mapping belongs to one
 * thread, and needs no answer of others. Files on the heap are closed at once too.
 *
 * <p>A file that is deleted while it waits keeps its disk space until it is unmapped; where the
 * system refuses to delete mapped files, {@code FSDirectory} tries again later, as ever.
 *
 * <p><b>Threads:</b> as the directory below; see {@link UnmapQueue} for the one that unmaps.
 *
 * <p><b>Ownership:</b> closing this waits, for at most 30 s, until all files that were closed are
 * unmapped, then closes the directory below.
 *
 * <p><b>Failure:</b> what the directory below throws. A failure to unmap is counted and logged.
 *
 * <p>Source: Lucene 10.5.1, {@code SegmentDocValues.decRef}, {@code MMapDirectory}; JDK 25, {@code
 * ScopedMemoryAccess.closeScope0}.
 */
public final class DeferredUnmapDirectory extends ForwardingDirectory {

  private static final System.Logger LOGGER =
      System.getLogger(DeferredUnmapDirectory.class.getName());

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final UnmapQueue.Owner mappings;
  private final Duration closeTimeout;

  /** Over the files of an index. */
  public DeferredUnmapDirectory(Directory in) {
    this(in, UnmapQueue.shared(), CLOSE_TIMEOUT);
  }

  DeferredUnmapDirectory(Directory in, UnmapQueue queue, Duration closeTimeout) {
    super(in);
    this.mappings = queue.new Owner();
    this.closeTimeout = closeTimeout;
  }

  /** What was done so far. */
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
