package io.weir.merge;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.MergeScheduler.MergeSource;

/**
 * What happens to the merges of a scheduler when its writer or the scheduler itself closes.
 *
 * <p><b>Threads:</b> any.
 */
final class WriterClose {

  private final WriterMerges merges;
  private final MergeCancellations cancellations;
  private final AtomicInteger closes = new AtomicInteger();

  WriterClose(WriterMerges merges, MergeCancellations cancellations) {
    this.merges = merges;
    this.cancellations = cancellations;
  }

  /** Whether a merge of the writer of {@code source} must not wait, because of a close. */
  boolean lifts(MergeSource source) {
    return closes.get() > 0
        || cancellations.closeAction(source).equals(Optional.of(CloseAction.LIFT));
  }

  /**
   * The writer of {@code source} closes. Merges of {@code addIndexes} are never aborted, because
   * their documents exist nowhere else; they run at full speed.
   */
  void closing(MergeSource source, CloseAction action) {
    cancellations.closing(source, action);
    if (action == CloseAction.FINISH) {
      return;
    }
    for (RunningMerge running : merges.all()) {
      if (running.kind == MergeKind.OTHER) {
        running.lift();
      } else if (running.source.equals(Optional.of(source))) {
        if (action == CloseAction.ABORT) {
          running.merge.setAborted();
        } else {
          running.lift();
        }
      }
    }
  }

  /**
   * The scheduler closes and waits for all merges: until {@link #endClose} they run at full speed.
   */
  void beginClose() {
    closes.incrementAndGet();
    merges.all().forEach(RunningMerge::lift);
  }

  void endClose() {
    closes.decrementAndGet();
  }
}
