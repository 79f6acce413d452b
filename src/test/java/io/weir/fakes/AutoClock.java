package io.weir.fakes;

import io.weir.time.NanoClock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock on which a timed wait takes no real time: it moves the clock by exactly what was asked,
 * plus {@link #oversleepNanos}. A wait without a time is a real one, ended by {@link #unpark}.
 */
public final class AutoClock implements NanoClock {

  private final AtomicLong nowNanos = new AtomicLong();

  /** How much later than asked every timed wait ends. */
  public volatile long oversleepNanos;

  @Override
  public long nanoTime() {
    return nowNanos.get();
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    if (nanos > 0) {
      nowNanos.addAndGet(nanos + oversleepNanos);
    }
  }

  @Override
  public void park(Object blocker) {
    LockSupport.park(blocker);
  }

  @Override
  public void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  /** Lets time pass. */
  public void advanceNanos(long nanos) {
    nowNanos.addAndGet(nanos);
  }
}
