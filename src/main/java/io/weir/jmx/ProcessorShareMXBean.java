package io.weir.jmx;

/**
 * What JMX can read and change of a {@link io.weir.rate.ProcessorShare}: its limit. Beside it the
 * bean has the share's figures as attributes.
 *
 * <p><b>Units:</b> cores.
 */
public interface ProcessorShareMXBean {

  /** The cores that merges may use together; null if there is no limit. */
  Double getCores();

  /**
   * Sets a limit.
   *
   * @param cores from 0.01 to 16384
   */
  void setCores(Double cores);

  /** Removes the limit. */
  void removeLimit();
}
