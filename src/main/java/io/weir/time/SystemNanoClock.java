package io.weir.time;

import java.util.concurrent.locks.LockSupport;

/** {@link System#nanoTime} and {@link LockSupport}; the one place in Weir that calls them. */
final class SystemNanoClock implements NanoClock {

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
}
