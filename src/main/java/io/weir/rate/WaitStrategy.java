package io.weir.rate;

import java.util.function.BooleanSupplier;

/**
 * How a claimant waits for its grant. The budget parks threads itself; this is for work that has a
 * place of its own to wait in, from where something else than an interrupt may call it off: a
 * merge, in its progress, by an abort.
 *
 * <p><b>Threads:</b> {@link #await} is called on the thread that waits, with no lock of the budget
 * held; the others on any thread. One strategy may serve several threads at once.
 *
 * <p><b>Failure:</b> an exception from {@link #await} or {@link #isCancelled} gives up the place in
 * the queue, and a grant that came meanwhile, and reaches the caller of {@code acquire}. What
 * {@link #wakeUp} throws is logged; its thread then sleeps until {@link #await} ends by itself.
 */
public interface WaitStrategy {

  /**
   * Waits for at most {@code waitNanos}, but only while {@code stillWaiting}; it may return early.
   *
   * @param waitNanos {@link Long#MAX_VALUE} for as long as it takes
   * @param stillWaiting takes no lock; turned false before {@link #wakeUp} is called
   * @throws InterruptedException when the thread is interrupted; leaving its status set will do too
   */
  void await(long waitNanos, BooleanSupplier stillWaiting) throws InterruptedException;

  /** Makes the {@link #await} of {@code thread} look at {@code stillWaiting} again. */
  void wakeUp(Thread thread);

  /**
   * Whether the work is called off. Whoever turns this true must also end the current {@link
   * #await}.
   */
  boolean isCancelled();
}
