package io.weir.rate;

import java.util.function.BooleanSupplier;

/**
 * How a thread waits for its grant. By default the budget parks threads. A strategy is for work
 * that waits elsewhere and can be cancelled by other means than an interrupt, such as a merge,
 * which waits in its progress and is aborted.
 *
 * <p><b>Threads:</b> {@link #await} is called on the waiting thread, with no lock of the budget
 * held; the other methods on any thread. One strategy may serve several threads at once.
 *
 * <p><b>Failure:</b> an exception from {@link #await} or {@link #isCancelled} reaches the caller of
 * {@code acquire}; it gives up the place in the queue, and a grant that has just arrived. An
 * exception from {@link #wakeUp} is logged; the thread then sleeps until {@link #await} ends by
 * itself.
 */
public interface WaitStrategy {

  /**
   * Waits for at most {@code waitNanos} while {@code stillWaiting} returns true; may return early.
   *
   * @param waitNanos {@link Long#MAX_VALUE} for no limit
   * @param stillWaiting takes no lock; returns false before {@link #wakeUp} is called
   * @throws InterruptedException when the thread is interrupted; returning with the status set is
   *     equivalent
   */
  void await(long waitNanos, BooleanSupplier stillWaiting) throws InterruptedException;

  /** Makes the {@link #await} of {@code thread} check {@code stillWaiting} again. */
  void wakeUp(Thread thread);

  /**
   * Whether the work is cancelled. Code that makes this true must also end the current {@link
   * #await}.
   */
  boolean isCancelled();
}
