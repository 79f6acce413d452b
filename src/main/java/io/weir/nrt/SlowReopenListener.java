package io.weir.nrt;

/**
 * Told of slow reopens.
 *
 * <p><b>Threads:</b> called by the sampler's thread alone. While it is in a call no stack is taken,
 * which is shown as time that was not sampled; a reopen never waits for it. <b>Failure:</b> what it
 * throws is caught; the first time it is logged as a warning.
 */
public interface SlowReopenListener {

  /**
   * The first stack of a reopen was taken. The reopen goes on, and may or may not become slow: the
   * moment to look at what only the present can tell.
   */
  default void samplingBegan() {}

  /** A slow reopen has ended. */
  void slowReopen(SlowReopen slow);
}
