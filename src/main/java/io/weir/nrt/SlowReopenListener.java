package io.weir.nrt;

/**
 * Receives slow reopens.
 *
 * <p><b>Threads:</b> called only by the sampler's thread, which takes no stacks during the call;
 * that time is reported as not sampled. A reopen never waits for it. <b>Failure:</b> exceptions are
 * caught, and the first one is logged as a warning.
 */
public interface SlowReopenListener {

  /**
   * The first stack of a reopen was taken. The reopen is still running and may or may not become
   * slow. A listener can record the current state here.
   */
  default void samplingBegan() {}

  /** A slow reopen has ended. */
  void slowReopen(SlowReopen slow);
}
