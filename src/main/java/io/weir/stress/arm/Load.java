package io.weir.stress.arm;

import java.util.List;

/**
 * The three loads of an arm: reopens on one thread, as applications do, updates on one, searches on
 * a few.
 */
record Load(OpenLoop reopens, OpenLoop searches, OpenLoop updates) {

  private static final int SEARCH_THREADS = 4;

  void start() {
    reopens.start(1);
    updates.start(1);
    searches.start(SEARCH_THREADS);
  }

  /**
   * Waits until all that was due has been done, at most until {@code nanos} on the timeline.
   *
   * @return whether it has
   */
  boolean finishUntil(long nanos) throws InterruptedException {
    boolean finished = true;
    for (OpenLoop loop : loops()) {
      finished &= loop.finishUntil(nanos);
    }
    return finished;
  }

  /** Waits until all that was due has been done; the timeline must have an end. */
  void finish() throws InterruptedException {
    for (OpenLoop loop : loops()) {
      loop.finish();
    }
  }

  void throwFailure() {
    loops().forEach(OpenLoop::throwFailure);
  }

  List<OpenLoop> loops() {
    return List.of(reopens, searches, updates);
  }
}
