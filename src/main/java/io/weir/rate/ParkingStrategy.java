package io.weir.rate;

import io.weir.time.NanoClock;
import java.util.function.BooleanSupplier;

/** Parks the thread on the clock; only an interrupt cancels the wait. */
record ParkingStrategy(NanoClock clock) implements WaitStrategy {

  @Override
  public void await(long waitNanos, BooleanSupplier stillWaiting) {
    // An unpark between this check and the park makes the park return at once.
    if (!stillWaiting.getAsBoolean()) {
      return;
    }
    if (waitNanos == TokenBucket.FOREVER) {
      clock.park(this);
    } else {
      clock.parkNanos(this, waitNanos);
    }
  }

  @Override
  public void wakeUp(Thread thread) {
    clock.unpark(thread);
  }

  @Override
  public boolean isCancelled() {
    return false;
  }
}
