package io.weir.rate;

import io.weir.fakes.SteppedClock;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * Waits on a clock until it is called off, as a merge is by an abort; and as in a merge's place to
 * wait, a wake-up that comes before the wait is not remembered.
 */
final class RacingCancellation implements WaitStrategy {

  private final SteppedClock clock;
  private final List<Thread> threads;
  private volatile boolean calledOff;

  /** For waits of {@code threads}, which may be added later. */
  RacingCancellation(SteppedClock clock, List<Thread> threads) {
    this.clock = clock;
    this.threads = threads;
  }

  void callOff() {
    calledOff = true;
    threads.forEach(clock::unpark);
  }

  @Override
  public void await(long waitNanos, BooleanSupplier stillWaiting) {
    // Leaves the others time to call while this is on its way.
    for (int i = ThreadLocalRandom.current().nextInt(3); i > 0; i--) {
      Thread.yield();
    }
    clock.forgetUnpark();
    if (!calledOff && stillWaiting.getAsBoolean()) {
      if (waitNanos == Long.MAX_VALUE) {
        clock.park(this);
      } else {
        clock.parkNanos(this, waitNanos);
      }
    }
  }

  @Override
  public void wakeUp(Thread thread) {
    clock.unpark(thread);
  }

  @Override
  public boolean isCancelled() {
    return calledOff;
  }
}
