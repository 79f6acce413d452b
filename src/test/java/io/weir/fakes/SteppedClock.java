package io.weir.fakes;

import io.weir.time.NanoClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A clock that stands still until a test moves it. Threads that wait on it really block, until
 * their time has come, an unpark or an interrupt; the test can wait until a thread has blocked, so
 * no test needs to sleep.
 */
public final class SteppedClock implements NanoClock {

  private final Map<Thread, Long> parkedUntilNanos = new HashMap<>(); // guarded by this
  private final Set<Thread> permits = new HashSet<>(); // guarded by this
  private final Set<Thread> left = new HashSet<>(); // guarded by this
  private long nowNanos; // guarded by this

  @Override
  public synchronized long nanoTime() {
    return nowNanos;
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    if (nanos > 0) {
      block(nanos);
    }
  }

  @Override
  public void park(Object blocker) {
    block(Long.MAX_VALUE);
  }

  @Override
  public synchronized void unpark(Thread thread) {
    permits.add(thread);
    notifyAll();
  }

  /**
   * Forgets an unpark of the calling thread that came before: so a waiter with a memory of its own,
   * or without one, can be played on this clock.
   */
  public synchronized void forgetUnpark() {
    permits.remove(Thread.currentThread());
  }

  /** Moves time and lets those go on whose time has come. */
  public synchronized void advanceNanos(long nanos) {
    nowNanos += nanos;
    notifyAll();
  }

  /** Waits until {@code thread} blocks with no permit that would let it go on. */
  public synchronized void awaitParked(Thread thread) throws InterruptedException {
    awaitAllParked(List.of(thread));
  }

  /**
   * Waits until all of {@code threads} block at one and the same moment, so that nothing more will
   * happen before time moves, and none of them is about to wake another.
   */
  public synchronized void awaitAllParked(Collection<Thread> threads) throws InterruptedException {
    while (!threads.stream().allMatch(this::isParked)) {
      for (Thread thread : threads) {
        failIfEnded(thread);
      }
      wait(10);
    }
  }

  /**
   * Waits until each of {@code threads} blocks or has {@linkplain #leave left}, all at one and the
   * same moment, and says how many still block.
   */
  public synchronized int awaitQuiet(Collection<Thread> threads) throws InterruptedException {
    while (!threads.stream().allMatch(thread -> left.contains(thread) || isParked(thread))) {
      wait(10);
    }
    return (int) threads.stream().filter(thread -> !left.contains(thread)).count();
  }

  /** The calling thread will not wait on this clock any more. */
  public synchronized void leave() {
    left.add(Thread.currentThread());
    notifyAll();
  }

  /**
   * How long until the time of a parked thread comes; {@link Long#MAX_VALUE} if none waits for one.
   */
  public synchronized long nanosToNextWakeUp() {
    long untilNanos =
        parkedUntilNanos.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
    return untilNanos == Long.MAX_VALUE ? untilNanos : untilNanos - nowNanos;
  }

  /** For how much longer {@code thread}, which is parked, asked to wait. */
  public synchronized long remainingNanos(Thread thread) {
    return parkedUntilNanos.get(thread) - nowNanos;
  }

  private boolean isParked(Thread thread) {
    return parkedUntilNanos.containsKey(thread)
        && !permits.contains(thread)
        && !thread.isInterrupted()
        && parkedUntilNanos.get(thread) > nowNanos;
  }

  private static void failIfEnded(Thread thread) {
    if (!thread.isAlive() && thread.getState() != Thread.State.NEW) {
      throw new AssertionError(thread.getName() + " ended instead of waiting");
    }
  }

  private synchronized void block(long nanos) {
    Thread me = Thread.currentThread();
    long untilNanos = nanos == Long.MAX_VALUE ? nanos : nowNanos + nanos;
    parkedUntilNanos.put(me, untilNanos);
    notifyAll();
    try {
      while (!permits.remove(me) && nowNanos < untilNanos) {
        wait();
      }
    } catch (InterruptedException e) {
      me.interrupt();
    } finally {
      parkedUntilNanos.remove(me);
      notifyAll();
    }
  }
}
