package io.weir.stress.arm.meters;

import io.weir.run.Phase;
import io.weir.run.Values;

/**
 * Measures something of an arm beside its load, phase by phase.
 *
 * <p><b>Threads:</b> {@link #look} from the sampling thread, which has ended when {@link #values}
 * is called; the rest from the thread of the arm.
 */
@FunctionalInterface
public interface Meter {

  /** A phase begins, and with it the one before ends. */
  default void begin(Phase phase) throws InterruptedException {}

  /** The last phase ends, while some of what was due in it may still run. */
  default void end() throws InterruptedException {}

  /** Called about once a second while the load runs. */
  default void look() {}

  /** What it measured, once the load has come to its end. */
  Values values() throws Exception;
}
