package io.weir.rate;

/**
 * Told of the waits under a {@link ByteBudget} and its children, and of its own changes of rate.
 *
 * <p><b>Threads:</b> called on the thread that waits or that sets the rate, with no lock held, so
 * it may call the budget; what it takes is added to the wait. One that acquires in {@link
 * #waitStarted} is told of that wait as well, and must see to it that this ends. <b>Failure:</b>
 * what it throws is caught; the first time it is logged as a warning. The grant is not affected.
 */
public interface BudgetListener {

  /** A thread begins to wait for a grant. */
  default void waitStarted(long requestedBytes) {}

  /**
   * It waits no more.
   *
   * @param grantedBytes what may pass, or 0 when it gave up: an interrupt, a time-out, an abort
   * @param waitNanos how long it took
   */
  default void waitEnded(long grantedBytes, long waitNanos) {}

  /** The rate was changed. */
  default void rateChanged(Rate before, Rate after) {}
}
