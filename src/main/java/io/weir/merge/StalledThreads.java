package io.weir.merge;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.MergeTrigger;

/**
 * The threads that stall because more merges are pending than may run.
 *
 * <p><b>Threads:</b> guarded by the monitor of the scheduler.
 */
final class StalledThreads {

  /** What a thread was doing when it stalled. */
  enum Activity {
    /** No thread stalls. */
    NONE,
    /** Asking for merges, by {@code forceMerge} or {@code maybeMerge}, or running one. */
    MERGING,
    /** Indexing, or possibly indexing. */
    INDEXING;

    static Activity calling(MergeTrigger trigger) {
      return trigger == MergeTrigger.EXPLICIT || trigger == MergeTrigger.MERGE_FINISHED
          ? MERGING
          : INDEXING;
    }
  }

  private final Map<Thread, Activity> standing = new HashMap<>();

  /** Records the calling thread as stalled while {@code stall} runs. */
  boolean during(Activity activity, BooleanSupplier stall) {
    standing.put(Thread.currentThread(), activity);
    try {
      return stall.getAsBoolean();
    } finally {
      standing.remove(Thread.currentThread());
    }
  }

  /** What the calling thread was doing when it stalled. */
  Activity caller() {
    return standing.getOrDefault(Thread.currentThread(), Activity.INDEXING);
  }
}
