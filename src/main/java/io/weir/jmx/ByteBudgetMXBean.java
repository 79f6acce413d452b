package io.weir.jmx;

/**
 * The JMX view of a {@link io.weir.rate.ByteBudget}: its cap, which can be set, and its counters.
 *
 * <p><b>Units:</b> bytes, bytes per second, nanoseconds. Counters start when the budget is created.
 */
public interface ByteBudgetMXBean {

  /** The name. */
  String getName();

  /** {@code LIMITED}, {@code UNLIMITED} or {@code PAUSED}. */
  String getState();

  /** The cap in bytes per second; null if there is none or the budget is paused. */
  Long getBytesPerSecond();

  /**
   * Sets a cap, in any state.
   *
   * @param bytesPerSecond from 1 byte/s to 16 GiB/s
   */
  void setBytesPerSecond(Long bytesPerSecond);

  /** Removes the cap. */
  void removeCap();

  /** Pauses the budget until a cap is set or removed. */
  void pause();

  /** Bytes granted. */
  long getGrantedBytes();

  /** Number of grants. */
  long getRequests();

  /** Grants that had to wait. */
  long getDelayedRequests();

  /** Time that threads waited, summed over threads. */
  long getWaitNanos();

  /** Threads that wait now. */
  int getWaiting();

  /** Bytes that passed without waiting and are not paid back yet. */
  long getDebtBytes();

  /** Bytes that passed without waiting and are never paid back. */
  long getForgivenBytes();
}
