package io.weir.merge;

import io.weir.time.OnceLog;

/**
 * A part of a merge that runs on another thread. It reports its start and end to the merge's {@link
 * MergeYield}.
 *
 * @param log of failures of the yield; the task runs in any case
 */
record IntraMergeTask(Runnable task, MergeYield yield, OnceLog log) implements Runnable {

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
      log.warn("a merge yield failed for a helping thread of a merge", e);
    }
  }
}
