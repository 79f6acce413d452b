package io.weir.merge;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.MergeTrigger;

/**
 * Who stands still because more merges are pending and no more may run.
 *
 * <p><b>Threads:</b> guarded by the monitor of the scheduler.
 */
final class StalledThreads {

  /** What the thread is about. */
  enum Who {
    NOBODY,
    /** It asked for merges, by {@code forceMerge} or {@code maybeMerge}, or runs one. */
    ASKING,
    /** It indexes, or may. */
    INDEXING;

    static Who calling(MergeTrigger trigger) {
      return trigger == MergeTrigger.EXPLICIT || trigger == MergeTrigger.MERGE_FINISHED
          ? ASKING
          : INDEXING;
    }
  }

  private final Map<Thread, Who> standing = new HashMap<>();

  /** Lets the calling thread stand still for as long as {@code stall} takes. */
  boolean during(Who who, BooleanSupplier stall) {
    standing.put(Thread.currentThread(), who);
    try {
      return stall.getAsBoolean();
    } finally {
      standing.remove(Thread.currentThread());
    }
  }

  /** What the calling thread, which stands still, is about. */
  Who caller() {
    return standing.getOrDefault(Thread.currentThread(), Who.INDEXING);
  }
}
