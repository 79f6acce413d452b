package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.Merges;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.IOContext;

/**
 * Decides which writes to a directory belong to a merge, for {@link RateLimitedDirectory} and
 * {@link WritebackDirectory}.
 *
 * <p>For most files Lucene says so with {@link OpenHints.Purpose#MERGE}. But the temporary files of
 * a points merge are opened with {@link IOContext#DEFAULT}, which a flush uses too, and any thread
 * of an executor may write them. However, each temporary file is named after its segment, and the
 * first file of a merged segment (stored fields, field index) always has the merge context. So a
 * segment counts as being merged from its first file on, and its temporary files count as the
 * merge's, whatever their context. So do all temporary files of a merge thread, because code that
 * reorders documents names its files differently.
 *
 * <p>A copy by {@code addIndexes(Directory...)} may arrive as a plain output with a flush context,
 * if a directory above, such as {@code NRTCachingDirectory}, splits it. The calling method
 * identifies it.
 *
 * <p>Only temporary files are recognized by name: later files of a finished segment, such as its
 * live documents at a commit, do not belong to a merge. A segment is forgotten when its last file,
 * {@code .si}, is begun, or when one of its lasting files is deleted, as after an aborted merge.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one name for each running merge.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.addIndexes} and {@code NRTCachingDirectory.unCache}
 * (contexts of copies), {@code Directory.copyFrom}, {@code BKDWriter}, {@code OfflinePointWriter}
 * and {@code OfflineSorter} (default context), {@code SegmentMerger} (order of files), {@code
 * IndexWriter.mergeMiddle} ({@code .si} last).
 */
final class MergeWrites {

  private final Set<String> mergingSegments = ConcurrentHashMap.newKeySet();

  /** Whether the bytes of a new file belong to a merge. */
  boolean includesOutput(String name, IOContext context) {
    return switch (OpenHints.purpose(context)) {
      case MERGE -> {
        follow(name);
        yield true;
      }
      case FLUSH -> CallingMethod.copiesAFile();
      case OTHER -> false;
    };
  }

  private void follow(String name) {
    String segment = SegmentFiles.segmentOf(name);
    if (SegmentFiles.isSegmentInfo(name)) {
      mergingSegments.remove(segment);
    } else {
      mergingSegments.add(segment);
    }
  }

  /** The part of a merge's file that is not temporary. */
  static MergeLimiter.Part partOf(String name) {
    return SegmentFiles.isCompound(name) ? MergeLimiter.Part.COMPOUND : MergeLimiter.Part.LASTING;
  }

  /** Whether a new temporary file, whose name begins with {@code prefix}, belongs to a merge. */
  boolean includesTempOutput(String prefix, IOContext context) {
    return switch (OpenHints.purpose(context)) {
      case MERGE -> true;
      case FLUSH -> false;
      case OTHER ->
          mergingSegments.contains(SegmentFiles.segmentOf(prefix))
              || Merges.isMergeThread(Thread.currentThread());
    };
  }

  /**
   * Whether a copied file counts as a merge's. The copies of {@code addIndexes(Directory...)}
   * rewrite whole segments, so they do; Lucene gives them a flush context, which a flush never uses
   * for copies. A copy with the default context is an {@code NRTCachingDirectory} that writes a
   * cached file to disk while a commit waits.
   */
  boolean includesCopy(IOContext context) {
    return OpenHints.purpose(context) != OpenHints.Purpose.OTHER;
  }

  /** Forgets the segment of a deleted lasting file. */
  void deleted(String name) {
    if (!SegmentFiles.isTemporary(name)) {
      mergingSegments.remove(SegmentFiles.segmentOf(name));
    }
  }
}
