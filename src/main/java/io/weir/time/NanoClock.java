package io.weir.time;

import java.util.concurrent.locks.LockSupport;

/**
 * A monotonic clock, and waiting on it.
 *
 * <p><b>Units:</b> nanoseconds from an arbitrary origin; only differences are meaningful.
 *
 * <p><b>Threads:</b> any; only {@link #parkNanos} and {@link #park} block.
 *
 * <p><b>Failure:</b> no method throws. Like {@link LockSupport}, both park methods return early
 * after an {@link #unpark}, after an interrupt (the status stays set), or spuriously; callers loop.
 */
public interface NanoClock {

  /** The machine's clock. No other code in Weir reads it or parks threads. */
  NanoClock SYSTEM =
      new NanoClock() {

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
          LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public void park(Object blocker) {
          LockSupport.park(blocker);
        }

        @Override
        public void unpark(Thread thread) {
          LockSupport.unpark(thread);
        }
      };

  /** The current time of a clock that never goes backwards. */
  long nanoTime();

  /** Waits for at most {@code nanos}; returns at once when {@code nanos <= 0}. */
  void parkNanos(Object blocker, long nanos);

  /** Waits until {@link #unpark} or an interrupt. */
  void park(Object blocker);

  /** Ends the current or the next wait of {@code thread}. */
  void unpark(Thread thread);
}
