package io.weir.merge;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A part of a merge that another thread does, told to the merge's {@link MergeYield}.
 *
 * @param failureTold whether it was logged before that a yield threw; the part is done all the same
 */
record IntraMergeTask(Runnable task, MergeYield yield, AtomicBoolean failureTold) implements Runnable {

  @Override
  public void run() {
    tell(yield::mergeBegins);
    try {
      task.run();
    } finally {
      tell(yield::mergeEnds);
    }
  }

  private void tell(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException | LinkageError | AssertionError e) {
      if (failureTold.compareAndSet(false, true)) {
        MergeLog.log(Level.WARNING, "a merge yield was not told of a helping thread", e);
      }
    }
  }
}
