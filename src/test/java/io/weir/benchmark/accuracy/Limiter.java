package io.weir.benchmark.accuracy;

import java.util.function.LongConsumer;

/** A cap in bytes per second that several threads share. */
interface Limiter {

  /** What one thread asks; each thread has its own. */
  Claimant claimant();

  /** One thread's way to the limiter. */
  interface Claimant {

    /**
     * Waits until {@code bytes} may pass.
     *
     * @param granted is told of each part at the moment it may pass
     */
    void claim(int bytes, LongConsumer granted) throws Exception;
  }
}
