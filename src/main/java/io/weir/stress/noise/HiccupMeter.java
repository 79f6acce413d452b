package io.weir.stress.noise;

import io.weir.time.NanoClock;

/**
 * An idle thread that is due every 5 ms and reports how late it runs: for that time the JVM or the
 * machine was stalled. A stall of 100 ms covers twenty turns, and each is reported with its own
 * delay.
 *
 * <p>A delay of 0.05 to 0.1 ms is what waking up takes.
 *
 * <p><b>Threads:</b> its own, which ends with {@link #close}.
 */
public final class HiccupMeter implements AutoCloseable {

  static final long INTERVAL_NANOS = 5_000_000;

  /** Receives each turn, on the thread of the meter. */
  @FunctionalInterface
  public interface Sink {

    /**
     * A turn was taken.
     *
     * @param lateNanos after it was due
     */
    void turn(long lateNanos);
  }

  private final NanoClock clock;
  private final Sink sink;
  private final Thread thread;
  private volatile boolean closed;

  /** Begins. */
  public HiccupMeter(NanoClock clock, Sink sink) {
    this.clock = clock;
    this.sink = sink;
    this.thread = Thread.ofPlatform().name("weir-hiccups").daemon().start(this::run);
  }

  /** For a test that waits until it waits. */
  Thread thread() {
    return thread;
  }

  @Override
  public void close() {
    closed = true;
    clock.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    long dueNanos = clock.nanoTime() + INTERVAL_NANOS;
    while (!closed) {
      long leftNanos = dueNanos - clock.nanoTime();
      if (leftNanos > 0) {
        clock.parkNanos(this, leftNanos);
      } else {
        sink.turn(-leftNanos);
        dueNanos += INTERVAL_NANOS;
      }
    }
  }
}
