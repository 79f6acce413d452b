package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.Merges;
import io.weir.lucene.SegmentFiles;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.IOContext;

/**
 * Which writes to a directory are a merge's: the one decision behind {@link RateLimitedDirectory}
 * and {@link WritebackDirectory}.
 *
 * <p>Lucene says so itself for most files, by {@link IOContext.Context#MERGE}. Not for all: the
 * temporary files of a points merge are opened with {@link IOContext#DEFAULT}, which a flush uses
 * as well, and may be written by any thread of an executor. But every temporary file is named after
 * the segment it is for, and the first file of a merged segment (its stored fields, its field
 * index) always carries the merge context. So a segment is remembered as being merged from its
 * first file on, and its temporary files are counted as the merge's whatever their context says. So
 * is every temporary file of a merge thread: what reorders documents names its files otherwise.
 *
 * <p>A copy by {@code addIndexes(Directory...)} may come as a plain output with a flush's context:
 * a directory above, such as {@code NRTCachingDirectory}, took it apart. It is known by its caller.
 *
 * <p>Only temporary files are judged by name: what is later written for a finished segment, its
 * live documents at a commit, is no merge's. A segment is forgotten when its {@code .si} file, the
 * last one, is begun or when any of its lasting files is deleted, as an aborted merge's are.
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

  /** Whether the bytes of a new file are a merge's. */
  boolean includesOutput(String name, IOContext context) {
    return switch (context.context()) {
      case MERGE -> {
        follow(name);
        yield true;
      }
      case FLUSH -> CallingMethod.copiesAFile();
      case DEFAULT -> false;
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

  /** What becomes of a merge's file that is not temporary. */
  static MergeLimiter.Part partOf(String name) {
    return SegmentFiles.isCompound(name) ? MergeLimiter.Part.COMPOUND : MergeLimiter.Part.LASTING;
  }

  /** Whether the bytes of a new temporary file, whose name begins with {@code prefix}, are. */
  boolean includesTempOutput(String prefix, IOContext context) {
    return switch (context.context()) {
      case MERGE -> true;
      case FLUSH -> false;
      case DEFAULT ->
          mergingSegments.contains(SegmentFiles.segmentOf(prefix))
              || Merges.isMergeThread(Thread.currentThread());
    };
  }

  /**
   * Whether the bytes of a copied file are. The copies of {@code addIndexes(Directory...)} rewrite
   * whole segments and so count as a merge's; Lucene gives them a flush context, which no flush
   * uses for a copy. A copy with the default context is an {@code NRTCachingDirectory} writing down
   * what it held in memory, for which a commit waits.
   */
  boolean includesCopy(IOContext context) {
    return context.context() != IOContext.Context.DEFAULT;
  }

  /** A file was deleted. */
  void deleted(String name) {
    if (!SegmentFiles.isTemporary(name)) {
      mergingSegments.remove(SegmentFiles.segmentOf(name));
    }
  }
}
