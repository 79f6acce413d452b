package io.weir.rate;

import io.weir.time.NanoClock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Parks on the clock like any other, until it is cancelled. */
class CancellableParking implements WaitStrategy {

  final AtomicBoolean cancelled = new AtomicBoolean();
  private final NanoClock clock;

  CancellableParking(NanoClock clock) {
    this.clock = clock;
  }

  @Override
  public void await(long waitNanos, BooleanSupplier stillWaiting) throws InterruptedException {
    new ParkingStrategy(clock).await(waitNanos, stillWaiting);
  }

  @Override
  public void wakeUp(Thread thread) {
    clock.unpark(thread);
  }

  @Override
  public boolean isCancelled() {
    return cancelled.get();
  }
}
