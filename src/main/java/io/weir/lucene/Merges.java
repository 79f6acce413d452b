package io.weir.lucene;

import java.lang.invoke.MethodHandle;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;

/**
 * Recognizes the purpose of a merge, its threads, and the state of its segment.
 *
 * <p><b>Threads:</b> any.
 */
public final class Merges {

  private static final String SOURCE = "source";
  private static final String FLUSH = "flush";
  private static final int NO_FORCED_MERGE = -1;

  private static final MethodHandle MAX_SEGMENTS =
      Link.property(MergeInfo.class, "mergeMaxNumSegments", int.class);

  /** A static method since Lucene 10.3, before that a constructor. */
  private static final MethodHandle CONTEXT =
      Link.staticMethod(IOContext.class, "merge", IOContext.class, MergeInfo.class)
          .or(() -> Link.constructor(IOContext.class, MergeInfo.class))
          .orElseThrow(() -> Link.missing("IOContext of a merge"));

  /** Asked for each clone of a file. */
  private static final ClassValue<Boolean> MERGE_THREADS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> thread) {
          for (Class<?> type = thread; type != Thread.class; type = type.getSuperclass()) {
            if (type.getNestHost() == ConcurrentMergeScheduler.class) {
              return true;
            }
          }
          return false;
        }
      };

  private Merges() {}

  /**
   * Whether a reader or a commit waits for the merge.
   *
   * <p>The trigger cannot tell: the next call of the scheduler takes all pending merges. But the
   * writer wraps exactly these merges in a nested class of its own.
   *
   * <p>Source: Lucene 10.5.1, {@code IndexWriter.preparePointInTimeMerge}.
   */
  public static boolean isCritical(OneMerge merge) {
    return merge.getClass().getNestHost() == IndexWriter.class;
  }

  /**
   * Whether a {@code forceMerge} waits for the merge; this may become true while the merge runs.
   *
   * <p>Source: Lucene 10.5.1, {@code IndexWriter.forceMerge} and {@code registerMerge}.
   */
  public static boolean isForced(OneMerge merge) {
    try {
      return (int) MAX_SEGMENTS.invokeExact(merge.getStoreMergeInfo()) != NO_FORCED_MERGE;
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }

  /** The context of the files that the merge writes. */
  public static IOContext contextOf(OneMerge merge) {
    try {
      return (IOContext) CONTEXT.invokeExact(merge.getStoreMergeInfo());
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }

  /**
   * Whether the segment was written by a flush.
   *
   * <p>Source: Lucene 10.5.1, {@code IndexWriter.setDiagnostics} and {@code SOURCE_FLUSH}.
   */
  public static boolean isFlushed(SegmentCommitInfo segment) {
    return FLUSH.equals(segment.info.getDiagnostics().get(SOURCE));
  }

  /**
   * Whether all files of a merged segment exist, except its compound file and its info. From then
   * on the writer deletes them itself if the merge is not committed.
   *
   * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}: it sets the files when all are
   * complete; {@code SegmentInfo.files} throws before.
   */
  public static boolean isComplete(SegmentInfo info) {
    try {
      return !info.files().isEmpty();
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /**
   * Whether the thread was created to run a merge.
   *
   * <p>Source: Lucene 10.5.1, {@code ConcurrentMergeScheduler.MergeThread}, which runs one merge
   * and ends. Applications' schedulers may extend it.
   */
  public static boolean isMergeThread(Thread thread) {
    return MERGE_THREADS.get(thread.getClass());
  }
}
