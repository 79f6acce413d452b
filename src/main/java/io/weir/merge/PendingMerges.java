package io.weir.merge;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;
import org.apache.lucene.index.MergeTrigger;

/**
 * A writer's pending merges during one call to the scheduler: knows the reason for the call, and
 * aborts cancelled merges before they begin.
 *
 * <p><b>Threads:</b> as the writer's own source.
 *
 * @param source the writer's own source
 * @param trigger the reason for the call
 * @param cancellations decides which merges must not begin
 * @param neverBegun receives a merge for which no thread could be created
 */
record PendingMerges(
    MergeSource source,
    MergeTrigger trigger,
    MergeCancellations cancellations,
    Consumer<OneMerge> neverBegun)
    implements MergeSource {

  /** The writer's own source: a merge thread returns the object that its merge came from. */
  static MergeSource unwrap(MergeSource source) {
    return source instanceof PendingMerges queue ? queue.source : source;
  }

  /** Whether a reader or a commit made the call; these must not wait for the cap. */
  boolean isOfReaderOrCommit() {
    return trigger == MergeTrigger.GET_READER
        || trigger == MergeTrigger.COMMIT
        || trigger == MergeTrigger.FULL_FLUSH;
  }

  @Override
  public OneMerge getNextMerge() {
    OneMerge merge = source.getNextMerge();
    if (merge != null) {
      try {
        cancellations.look(source, merge);
      } catch (Throwable e) {
        source.onMergeFinished(merge); // or the writer would wait for it
        throw e;
      }
    }
    return merge;
  }

  @Override
  public void onMergeFinished(OneMerge merge) {
    try {
      neverBegun.accept(merge);
    } finally {
      source.onMergeFinished(merge);
    }
  }

  @Override
  public boolean hasPendingMerges() {
    return source.hasPendingMerges();
  }

  @Override
  public void merge(OneMerge merge) throws IOException {
    source.merge(merge);
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
