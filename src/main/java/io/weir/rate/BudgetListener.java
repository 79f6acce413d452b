package io.weir.rate;

/**
 * Receives the waits under a {@link ByteBudget} and its children, and the budget's changes of rate.
 *
 * <p><b>Threads:</b> called on the thread that waits or sets the rate, with no lock held, so it may
 * call the budget. The time it takes adds to the wait. A listener that acquires in {@link
 * #waitStarted} receives that wait too, and must end the recursion itself. <b>Failure:</b> an
 * exception from a listener is caught, and the first one is logged as a warning. It does not affect
 * the grant.
 */
public interface BudgetListener {

  /** A thread begins to wait for a grant. */
  default void waitStarted(long requestedBytes) {}

  /**
   * The thread has stopped waiting.
   *
   * @param grantedBytes bytes that may pass, or 0 after an interrupt, a timeout or an abort
   * @param waitNanos how long the thread waited
   */
  default void waitEnded(long grantedBytes, long waitNanos) {}

  /** The rate was changed. */
  default void rateChanged(Rate before, Rate after) {}
}
