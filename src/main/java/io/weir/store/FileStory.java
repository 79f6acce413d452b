package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.Merges;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * What a new file is: who writes it, which segment it is a part of, and whether it completes that
 * segment. Every layer asks here, when it creates a file and never for a byte, so that a file is
 * the same to all of them.
 *
 * <p>For most files Lucene says that a merge writes them: {@link OpenHints.Purpose#MERGE}. A copy
 * by {@code addIndexes(Directory...)} may arrive as a plain output with a flush context, if a
 * directory above, such as {@code NRTCachingDirectory}, splits it. The calling method identifies
 * it. An unknown caller counts as a flush.
 *
 * <p>Later files of a finished segment, such as its live documents at a commit, do not belong to a
 * merge: only their context counts, not their segment.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.addIndexes} and {@code NRTCachingDirectory.unCache}
 * (contexts of copies), {@code Directory.copyFrom}, {@code SegmentMerger} (order of files), {@code
 * IndexWriter.mergeMiddle} ({@code .si} last).
 *
 * @param name of the file
 * @param context in which it is created
 */
record FileStory(String name, IOContext context) {

  /** Who writes a file. */
  enum Birth {
    /** A flush: a new segment, or an update of doc values. */
    FLUSH,
    /** A merge, temporary files with another context apart. */
    MERGE,
    /** {@code addIndexes(Directory...)}, which rewrites whole segments. */
    COPY,
    /** Anyone else, such as a commit. */
    OTHER
  }

  /** Who writes it. For a flush this looks at the stack, which takes some microseconds. */
  Birth birth() {
    return switch (OpenHints.purpose(context)) {
      case MERGE -> Birth.MERGE;
      case FLUSH -> CallingMethod.copiesAFile() ? Birth.COPY : Birth.FLUSH;
      case OTHER -> Birth.OTHER;
    };
  }

  /** Whether a merge writes it. */
  boolean isOfMerge() {
    return OpenHints.isForMerge(context);
  }

  /**
   * Whether a file that is copied as a whole counts as a merge's. A flush never copies files. A
   * copy with the default context is an {@code NRTCachingDirectory} that writes a cached file to
   * disk while a commit waits.
   */
  static boolean isRewritten(IOContext ofCopy) {
    return OpenHints.purpose(ofCopy) != OpenHints.Purpose.OTHER;
  }

  /** The segment that it is a part of. */
  String segment() {
    return SegmentFiles.segmentOf(name);
  }

  /** Whether a merge's segment is complete when this file is. */
  boolean sealsAMerge() {
    return isOfMerge() && SegmentFiles.isSegmentInfo(name);
  }

  /** Called when a segment is complete, and not open yet. */
  @FunctionalInterface
  interface Sealed {
    /** May throw to end the merge. */
    void sealed() throws IOException;
  }

  /**
   * Calls {@code listener} once, after {@code output} was closed with success: on the merge's
   * thread and without a lock. Exceptions of both end the merge.
   */
  static IndexOutput sealing(IndexOutput output, Sealed listener) {
    return new FilterIndexOutput("SegmentInfo(" + output + ")", output.getName(), output) {
      private boolean closed;

      @Override
      public void close() throws IOException {
        super.close();
        if (!closed) {
          closed = true;
          listener.sealed();
        }
      }
    };
  }

  /**
   * The segments that merges are writing, by which their temporary files are recognized. Those of a
   * points merge are opened with {@link IOContext#DEFAULT}, which a flush uses too, and any thread
   * of an executor may write them. However, each temporary file is named after its segment, and the
   * first file of a merged segment (stored fields, field index) always has the merge context. So a
   * segment counts as being merged from its first file on, and its temporary files count as the
   * merge's, whatever their context. So do all temporary files of a merge thread, because code that
   * reorders documents names its files differently.
   *
   * <p>A segment is forgotten when its last file, {@code .si}, is begun, or when one of its lasting
   * files is deleted, as after an aborted merge.
   *
   * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one name for each running merge.
   *
   * <p>Source: Lucene 10.5.1, {@code BKDWriter}, {@code OfflinePointWriter} and {@code
   * OfflineSorter} (default context).
   */
  static final class MergingSegments {

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    /** A merge creates this file. */
    void created(FileStory file) {
      if (file.sealsAMerge()) {
        names.remove(file.segment());
      } else {
        names.add(file.segment());
      }
    }

    /** Forgets the segment of a deleted lasting file. */
    void deleted(String name) {
      if (!SegmentFiles.isTemporary(name)) {
        names.remove(SegmentFiles.segmentOf(name));
      }
    }

    /** Whether a new temporary file, whose name begins with {@code prefix}, belongs to a merge. */
    boolean includeTemporary(String prefix, IOContext context) {
      return switch (OpenHints.purpose(context)) {
        case MERGE -> true;
        case FLUSH -> false;
        case OTHER ->
            names.contains(SegmentFiles.segmentOf(prefix))
                || Merges.isMergeThread(Thread.currentThread());
      };
    }
  }
}
