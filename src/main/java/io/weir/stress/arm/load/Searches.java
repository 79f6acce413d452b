package io.weir.stress.arm.load;

import io.weir.run.Values;

/** What searches do, and whether they found anything. <b>Threads:</b> any. */
public interface Searches extends OpenLoop.Operation {

  /** Whether there is nothing to search for. */
  boolean isEmpty();

  /** What was found so far. */
  Values hits();
}
