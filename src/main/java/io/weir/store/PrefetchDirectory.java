package io.weir.store;

import io.weir.lucene.SegmentFiles;
import io.weir.store.reads.MergeReadPacing;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * A directory that reads in advance what Lucene will read when it opens a merged segment.
 *
 * <p>Lucene opens a merged segment under a lock that every reopen takes. It reads the beginning and
 * the end of each file, which may have left the page cache since they were written; on a busy disk
 * that takes long. This directory reads them first, on the merge's thread and without a lock, when
 * the last file of the segment was written. It does so only for merges; the output of a flush is
 * still in memory. Set a merged-segment warmer, even an empty one, so that the segment is opened
 * right afterwards.
 *
 * <p>Put it above all other layers.
 *
 * <p><b>Threads:</b> as the directory below. <b>Ownership:</b> closing this closes the directory
 * below. <b>Failure:</b> exceptions of the directory below when it writes, and {@link
 * MergePolicy.MergeAbortedException} if the merge was aborted. A file that cannot be fetched is
 * counted, and the first one is logged; it is then read when it is opened.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle} writes the segment info after all other
 * files; {@code ReadersAndUpdates.getReader} opens the segment under the monitor that {@code
 * ReaderPool.writeAllDocValuesUpdates} takes in every reopen.
 */
public final class PrefetchDirectory extends ForwardingDirectory {

  /** Files up to this length are usually metadata, and are read from end to end. */
  private static final int WHOLE_FILE_BYTES = 64 << 10;

  private static final int PAGE_BYTES = 4096;

  private final NanoClock clock;
  private final Map<String, Set<String>> writtenBySegment = new HashMap<>(); // guarded by itself
  private final LongAdder segments = new LongAdder();
  private final LongAdder faults = new LongAdder();
  private final OnceLog fault = new OnceLog(PrefetchDirectory.class);
  private final LongAdder nanos = new LongAdder();

  /** Fetches the merged segments of the index in {@code in}. */
  public PrefetchDirectory(Directory in) {
    this(in, NanoClock.SYSTEM);
  }

  PrefetchDirectory(Directory in, NanoClock clock) {
    super(in);
    this.clock = clock;
  }

  /** Number of merged segments fetched so far. */
  public long segments() {
    return segments.sum();
  }

  /** Number of files that could not be fetched so far. */
  public long faults() {
    return faults.sum();
  }

  /** Time that merges spent fetching, summed over threads. */
  public long nanos() {
    return nanos.sum();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(name, context);
    FileStory file = new FileStory(name, context);
    if (!file.isOfMerge()) {
      return output;
    }
    String segment = file.segment();
    synchronized (writtenBySegment) {
      writtenBySegment.computeIfAbsent(segment, s -> new TreeSet<>()).add(name);
    }
    return file.sealsAMerge() ? FileStory.sealing(output, () -> fetch(segment)) : output;
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    forget(name);
  }

  private void forget(String name) {
    String segment = SegmentFiles.segmentOf(name);
    synchronized (writtenBySegment) {
      writtenBySegment.computeIfPresent(
          segment,
          (s, names) -> {
            names.remove(name);
            return names.isEmpty() ? null : names;
          });
    }
  }

  private void fetch(String segment) throws IOException {
    Set<String> names;
    synchronized (writtenBySegment) {
      names = writtenBySegment.remove(segment);
    }
    if (names == null) {
      return;
    }
    long startNanos = clock.nanoTime();
    MergeReadPacing.Pacer merge = MergeReadPacing.current();
    for (String name : names) {
      if (merge != null) {
        merge.beforeRead();
      }
      // Read-once: the mapping is then confined to this thread, and unmapping disturbs no other.
      try (IndexInput input = in.openInput(name, IOContext.READONCE)) {
        fetch(input);
      } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
        fault(name, e);
      }
    }
    segments.increment();
    nanos.add(clock.nanoTime() - startNanos);
  }

  private static void fetch(IndexInput input) throws IOException {
    long length = input.length();
    if (length == 0) {
      return;
    }
    if (length <= WHOLE_FILE_BYTES) {
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

  private void fault(String name, Throwable failure) {
    faults.increment();
    fault.warn(
        name + " could not be fetched in advance; later faults are counted and not logged",
        failure);
  }
}
