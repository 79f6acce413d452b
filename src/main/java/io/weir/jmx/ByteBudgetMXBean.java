package io.weir.jmx;

/**
 * A {@link io.weir.rate.ByteBudget} as JMX shows it: its cap, which can be set, and what passed.
 *
 * <p><b>Units:</b> bytes, bytes per second, nanoseconds. Sums are since the budget was made.
 */
public interface ByteBudgetMXBean {

  /** What it is called. */
  String getName();

  /** {@code LIMITED}, {@code UNLIMITED} or {@code PAUSED}. */
  String getState();

  /** The cap in bytes per second; null when there is none or all is paused. */
  Long getBytesPerSecond();

  /**
   * Sets a cap, whatever the state was.
   *
   * @param bytesPerSecond from 1 to 16 GiB
   */
  void setBytesPerSecond(Long bytesPerSecond);

  /** Lets everything pass. */
  void removeCap();

  /** Lets nothing pass until a cap is set or removed. */
  void pause();

  /** Bytes that were let pass. */
  long getGrantedBytes();

  /** Pieces in which they passed. */
  long getRequests();

  /** Pieces that had to wait. */
  long getDelayedRequests();

  /** Time that threads waited, added over threads. */
  long getWaitNanos();

  /** Threads that wait now. */
  int getWaiting();

  /** Bytes that passed ahead of their time and are owed. */
  long getDebtBytes();

  /** Bytes that passed ahead of their time and were never paid back. */
  long getForgivenBytes();
}
