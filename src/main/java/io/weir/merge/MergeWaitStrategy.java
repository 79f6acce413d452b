package io.weir.merge;

import io.weir.rate.WaitStrategy;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.apache.lucene.index.MergePolicy.OneMergeProgress.PauseReason;

/**
 * Lets a merge wait in its {@link OneMergeProgress}, as Lucene's own throttle does: an abort ends
 * the wait at once, and the writer's messages count it.
 *
 * <p><b>Threads:</b> those of the merge. Waking one wakes them all; the others check and wait
 * again.
 *
 * @param progress of the merge
 * @param stopped whether the budget is paused; called when a wait begins
 */
record MergeWaitStrategy(OneMergeProgress progress, BooleanSupplier stopped)
    implements WaitStrategy {

  @Override
  public void await(long waitNanos, BooleanSupplier stillWaiting) throws InterruptedException {
    PauseReason reason = stopped.getAsBoolean() ? PauseReason.STOPPED : PauseReason.PAUSED;
    progress.pauseNanos(waitNanos, reason, stillWaiting);
  }

  @Override
  public void wakeUp(Thread thread) {
    progress.wakeup();
  }

  @Override
  public boolean isCancelled() {
    return progress.isAborted();
  }
}
