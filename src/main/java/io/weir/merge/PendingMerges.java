package io.weir.merge;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;
import org.apache.lucene.index.MergeTrigger;

/**
 * A writer's pending merges during one call to the scheduler: it knows why the call was made, and
 * ends merges that are not to begin.
 *
 * <p><b>Threads:</b> as the writer's own.
 *
 * @param source the writer's own
 * @param trigger why the scheduler was called
 * @param cancellations which merges are not to begin
 * @param neverBegun is told of a merge for which there could be no thread
 */
record PendingMerges(
    MergeSource source,
    MergeTrigger trigger,
    MergeCancellations cancellations,
    Consumer<OneMerge> neverBegun)
    implements MergeSource {

  /** The writer's own: a merge thread hands back the queue that its merge came from. */
  static MergeSource unwrap(MergeSource source) {
    return source instanceof PendingMerges queue ? queue.source : source;
  }

  /** Whether who called is a reader or a commit, which must not wait for the cap. */
  boolean isOfReaderOrCommit() {
    return trigger == MergeTrigger.GET_READER
        || trigger == MergeTrigger.COMMIT
        || trigger == MergeTrigger.FULL_FLUSH;
  }

  @Override
  public OneMerge getNextMerge() {
    OneMerge merge = source.getNextMerge();
    if (merge != null) {
      cancellations.look(source, merge);
    }
    return merge;
  }

  @Override
  public void onMergeFinished(OneMerge merge) {
    neverBegun.accept(merge);
    source.onMergeFinished(merge);
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
