package io.weir.jmx;

/**
 * The JMX view of a {@link io.weir.control.MergeDeadline}: whether it holds.
 *
 * <p><b>Units:</b> seconds, bytes per second.
 */
public interface MergeDeadlineMXBean {

  /** Whether forced merges will be done in time: such as {@code on time} or {@code late}. */
  String getOutlook();

  /** The part of them that is done, in percent; null when none runs. */
  Double getDonePercent();

  /** The time that they still need; null when unknown. */
  Long getNeededSeconds();

  /** The time until the deadline; negative after it. */
  long getLeftSeconds();

  /** The rate at which they may write; null without a limit. */
  Long getBytesPerSecond();

  /** All of it in one sentence. */
  String getDescription();
}
