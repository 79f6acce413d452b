package io.weir.store;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * A directory that fetches what opening a merged segment will read, before Lucene opens it.
 *
 * <p>Lucene opens a merged segment while it holds a lock that every reopen takes, and on a busy
 * disk the two ends of each file, which were written long ago and may have left the page cache,
 * take long. This reads them first, on the thread of the merge and under no lock, when the last
 * file of the segment has been written. Dictionaries that a {@link ResidentDirectory} right below
 * will hold are read whole. It does so for merges alone; what a flush has written is still in
 * memory.
 *
 * <p>Put it right above the {@code ResidentDirectory}, or where that would be, and set a merged
 * segment warmer, even an empty one, so that the segment is opened right after.
 *
 * <p><b>Threads:</b> as the directory below. <b>Ownership:</b> closing this closes the directory
 * below. <b>Failure:</b> what the directory below throws when it writes; a file that cannot be
 * fetched is counted, and left to whoever opens it.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle} writes the segment info after all other
 * files; {@code ReadersAndUpdates.getReader} opens the segment under the monitor that {@code
 * ReaderPool.writeAllDocValuesUpdates} takes in every reopen.
 */
public final class PrefetchDirectory extends ForwardingDirectory {

  private static final String SEGMENT_INFO_EXTENSION = "si";

  /** Files that are not longer are metadata, as a rule, and read from end to end. */
  private static final int WHOLE_FILE_BYTES = 64 << 10;

  private static final int PAGE_BYTES = 4096;

  private final NanoClock clock;
  private final Map<String, Set<String>> writtenBySegment = new HashMap<>(); // guarded by itself
  private final LongAdder segments = new LongAdder();
  private final LongAdder faults = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** Fetches merged segments of the index in {@code in}. */
  public PrefetchDirectory(Directory in) {
    this(in, NanoClock.SYSTEM);
  }

  PrefetchDirectory(Directory in, NanoClock clock) {
    super(in);
    this.clock = clock;
  }

  /** Merged segments that were fetched so far. */
  public long segments() {
    return segments.sum();
  }

  /** Files that could not be fetched so far. */
  public long faults() {
    return faults.sum();
  }

  /** Time that merges spent fetching, added over threads. */
  public long nanos() {
    return nanos.sum();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(name, context);
    if (context.context() != IOContext.Context.MERGE) {
      return output;
    }
    String segment = IndexFileNames.parseSegmentName(name);
    synchronized (writtenBySegment) {
      writtenBySegment.computeIfAbsent(segment, s -> new TreeSet<>()).add(name);
    }
    return SEGMENT_INFO_EXTENSION.equals(IndexFileNames.getExtension(name))
        ? new LastOutput(output, segment)
        : output;
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    forget(name);
  }

  private void forget(String name) {
    String segment = IndexFileNames.parseSegmentName(name);
    synchronized (writtenBySegment) {
      writtenBySegment.computeIfPresent(
          segment,
          (s, names) -> {
            names.remove(name);
            return names.isEmpty() ? null : names;
          });
    }
  }

  private void fetch(String segment) {
    Set<String> names;
    synchronized (writtenBySegment) {
      names = writtenBySegment.remove(segment);
    }
    if (names == null) {
      return;
    }
    long startNanos = clock.nanoTime();
    for (String name : names) {
      // Read once: then the mapping is this thread's own, and taking it away disturbs no other.
      try (IndexInput input = in.openInput(name, IOContext.READONCE)) {
        fetch(input, in instanceof ResidentDirectory resident && resident.isKeyFile(name));
      } catch (IOException | RuntimeException e) {
        faults.increment();
      }
    }
    segments.increment();
    nanos.add(clock.nanoTime() - startNanos);
  }

  private static void fetch(IndexInput input, boolean whole) throws IOException {
    long length = input.length();
    if (length == 0) {
      return;
    }
    if (whole || length <= WHOLE_FILE_BYTES) {
      for (long offset = 0; offset < length; offset += PAGE_BYTES) {
        input.seek(offset);
        input.readByte();
      }
    } else {
      input.readByte();
    }
    input.seek(length - 1);
    input.readByte();
  }

  /** The file of a segment that is written after all others. */
  private final class LastOutput extends FilterIndexOutput {

    private final String segment;
    private boolean closed;

    LastOutput(IndexOutput out, String segment) {
      super("Last(" + out + ")", out.getName(), out);
      this.segment = segment;
    }

    @Override
    public void close() throws IOException {
      super.close();
      if (!closed) {
        closed = true;
        fetch(segment);
      }
    }
  }
}
