package io.weir.merge;

import io.weir.rate.WaitStrategy;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.apache.lucene.index.MergePolicy.OneMergeProgress.PauseReason;

/**
 * Waits where Lucene's own throttle makes a merge wait: an abort ends it at once, and the writer's
 * messages count it.
 *
 * <p><b>Threads:</b> all of the merge's; one that is woken wakes the others, which look and wait
 * on.
 *
 * @param progress of the merge
 * @param stopped whether the budget lets nothing pass at all, asked when a wait begins
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
