package io.weir.jmx;

/**
 * What JMX can read and change of a {@link io.weir.rate.ByteBudget}: its cap. Beside it the bean
 * has the budget's figures as attributes.
 *
 * <p><b>Units:</b> bytes per second.
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
}
