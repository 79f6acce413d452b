package io.weir.merge;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A part of a merge that runs on another thread. It reports its start and end to the merge's {@link
 * MergeYield}.
 *
 * @param failureLogged whether a failure of the yield was logged before; the task runs in any case
 */
record IntraMergeTask(Runnable task, MergeYield yield, AtomicBoolean failureLogged)
    implements Runnable {

  @Override
  public void run() {
    guard(yield::mergeBegins);
    try {
      task.run();
    } finally {
      guard(yield::mergeEnds);
    }
  }

  private void guard(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      if (failureLogged.compareAndSet(false, true)) {
        MergeLog.log(Level.WARNING, "a merge yield failed for a helping thread of a merge", e);
      }
    }
  }
}
