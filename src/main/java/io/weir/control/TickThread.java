package io.weir.control;

import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * A daemon thread that does something at a steady pace until it is closed.
 *
 * <p><b>Threads:</b> any may call every method. <b>Failure:</b> what the action throws is logged,
 * the first time, and the next tick comes in time.
 */
final class TickThread implements AutoCloseable {

  /** What is done in a tick. */
  interface Action {

    /**
     * Does it.
     *
     * @param nowNanos the time on the clock
     * @param lateNanos how much later than planned that is
     */
    void tick(long nowNanos, long lateNanos);
  }

  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final NanoClock clock;
  private final long tickNanos;
  private final Duration closeTimeout;
  private final Action action;
  private final Thread thread;
  private final OnceLog log = new OnceLog(TickThread.class);
  private volatile boolean tickNow;
  private volatile boolean started;
  private volatile boolean closed;

  TickThread(String name, long tickNanos, NanoClock clock, Action action) {
    this(name, tickNanos, clock, CLOSE_TIMEOUT, action);
  }

  TickThread(String name, long tickNanos, NanoClock clock, Duration closeTimeout, Action action) {
    this.clock = clock;
    this.tickNanos = tickNanos;
    this.closeTimeout = closeTimeout;
    this.action = action;
    this.thread = DaemonThreads.unstarted(name, this::run);
  }

  /** The first tick comes at once. */
  void start() {
    started = true;
    thread.start();
  }

  /** Does not wait for the next tick. */
  void tickNow() {
    tickNow = true;
    clock.unpark(thread);
  }

  /** Whether the caller is this thread. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** For tests. */
  Thread thread() {
    return thread;
  }

  /**
   * Ends the thread. Waits at most 10 s for a tick that runs; after that, a message is logged and
   * the thread ends when the tick does. An interrupt ends the wait and stays set.
   */
  @Override
  public void close() {
    closed = true;
    clock.unpark(thread);
    if (!started || isCurrent()) {
      return;
    }
    try {
      if (!thread.join(closeTimeout)) {
        log.log(
            Level.WARNING,
            thread.getName() + " has not returned from a call; closing goes on without it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What its owner has to say as well. */
  OnceLog log() {
    return log;
  }

  private void run() {
    long dueNanos = clock.nanoTime();
    while (!closed) {
      long nowNanos = clock.nanoTime();
      if (nowNanos - dueNanos < 0 && !tickNow) {
        clock.parkNanos(this, dueNanos - nowNanos);
        continue;
      }
      tickNow = false;
      try {
        action.tick(nowNanos, Math.max(0, nowNanos - dueNanos));
      } catch (Throwable failure) {
        log.warn(thread.getName() + " failed; it goes on", failure);
      }
      dueNanos = nowNanos + tickNanos;
    }
  }
}
