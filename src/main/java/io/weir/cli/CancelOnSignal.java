package io.weir.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Cancels a run on a signal to end, and keeps the JVM alive until the partial report is written.
 * <b>Threads:</b> made and closed by the one that runs it.
 */
final class CancelOnSignal implements AutoCloseable {

  /** Longer than a worker may take to end, so that the partial report is written. */
  private static final long ENDING_SECONDS = 90;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;
  private boolean interrupted;

  /**
   * Waits for a signal.
   *
   * @param cancel ends the run early; called on another thread
   */
  CancelOnSignal(Runnable cancel) {
    this.hook = new Thread(() -> cancelAndAwait(cancel));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** The signal has come: the JVM is shutting down. */
  void interrupted() {
    interrupted = true;
  }

  private void cancelAndAwait(Runnable cancel) {
    cancel.run();
    try {
      ended.await(ENDING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
    if (!interrupted) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is shutting down; the hook has run or runs.
      }
    }
  }
}
