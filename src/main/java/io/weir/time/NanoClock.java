package io.weir.time;

import java.util.concurrent.locks.LockSupport;

/**
 * A monotonic clock and the waiting that goes with it.
 *
 * <p><b>Units:</b> nanoseconds from an arbitrary origin; only differences mean anything.
 *
 * <p><b>Threads:</b> any thread may call any method; only {@link #parkNanos} and {@link #park}
 * block.
 *
 * <p><b>Failure:</b> no method throws. Both kinds of parking return early for an {@link #unpark},
 * for an interrupt (the interrupt status stays set) or for no reason at all, as {@link LockSupport}
 * does; callers loop.
 */
public interface NanoClock {

  /** The machine's clock. */
  NanoClock SYSTEM = new SystemNanoClock();

  /** Now, on a clock that never goes back. */
  long nanoTime();

  /** Waits for at most {@code nanos}; returns at once when {@code nanos <= 0}. */
  void parkNanos(Object blocker, long nanos);

  /** Waits until {@link #unpark} or an interrupt. */
  void park(Object blocker);

  /** Ends the current or the next wait of {@code thread}. */
  void unpark(Thread thread);
}
