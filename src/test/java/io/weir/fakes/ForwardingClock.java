package io.weir.fakes;

import io.weir.time.NanoClock;

/** Another clock, but for what a test overrides. */
public class ForwardingClock implements NanoClock {

  private final NanoClock in;

  /** In front of {@code in}. */
  public ForwardingClock(NanoClock in) {
    this.in = in;
  }

  @Override
  public long nanoTime() {
    return in.nanoTime();
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    in.parkNanos(blocker, nanos);
  }

  @Override
  public void park(Object blocker) {
    in.park(blocker);
  }

  @Override
  public void unpark(Thread thread) {
    in.unpark(thread);
  }
}
