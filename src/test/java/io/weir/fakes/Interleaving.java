package io.weir.fakes;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * Threads of which one at a time runs, from one step to its next. Chance, from a seed, decides
 * whose turn it is, so an interleaving that fails can be repeated.
 *
 * <p>A thread that waits for a lock of another one loses its turns until it has the lock.
 *
 * <p><b>Threads:</b> {@link #step} from any; others from the test's.
 */
public final class Interleaving {

  /** What one thread does. */
  @FunctionalInterface
  public interface Actor {
    void run() throws Exception;
  }

  private enum State {
    RUNS,
    AT_STEP,
    ENDED
  }

  private static final class Turn {
    private final Semaphore granted = new Semaphore(0);
    private State state = State.RUNS; // guarded by the interleaving
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Random random;
  private final Map<Thread, Turn> turns = new LinkedHashMap<>(); // guarded by this, as below
  private Throwable failure;
  private boolean free;

  public Interleaving(Random random) {
    this.random = random;
  }

  /** Adds a thread, which waits for its first turn. */
  public synchronized void add(Actor actor) {
    Turn turn = new Turn();
    Thread thread = Thread.ofPlatform().daemon().unstarted(() -> run(actor, turn));
    turns.put(thread, turn);
    thread.start();
  }

  private void run(Actor actor, Turn turn) {
    try {
      step();
      actor.run();
    } catch (Throwable t) {
      synchronized (this) {
        failure = failure == null ? t : failure;
      }
    } finally {
      reached(turn, State.ENDED);
    }
  }

  /** The calling thread, if it is one of these, waits for its turn. */
  public void step() {
    Turn turn;
    synchronized (this) {
      turn = turns.get(Thread.currentThread());
      if (turn == null || free) {
        return;
      }
      reached(turn, State.AT_STEP);
    }
    turn.granted.acquireUninterruptibly(); // the step belongs to the test, not to what it tests
  }

  private synchronized void reached(Turn turn, State state) {
    turn.state = state;
    notifyAll();
  }

  /**
   * Runs the threads to their end.
   *
   * @param betweenSteps called while all of them stand still
   * @throws AssertionError if one of them fails, or all of them wait for each other
   */
  public void run(Runnable betweenSteps) throws InterruptedException {
    try {
      awaitAllStill();
      while (grant()) {
        awaitAllStill();
        throwFailure();
        betweenSteps.run();
      }
    } finally {
      letAllEnd();
    }
    for (Thread thread : turns.keySet()) {
      thread.join();
    }
    throwFailure();
  }

  /** Lets one thread go on; returns false if all have ended. */
  private synchronized boolean grant() {
    List<Turn> waiting = atStep();
    if (waiting.isEmpty()) {
      requireAllEnded();
      return false;
    }
    Turn turn = waiting.get(random.nextInt(waiting.size()));
    turn.state = State.RUNS;
    turn.granted.release();
    return true;
  }

  private List<Turn> atStep() {
    return turns.values().stream().filter(turn -> turn.state == State.AT_STEP).toList();
  }

  private synchronized void awaitAllStill() throws InterruptedException {
    while (true) {
      boolean still = true;
      for (Map.Entry<Thread, Turn> each : turns.entrySet()) {
        still &= each.getValue().state != State.RUNS || isBlocked(each.getKey());
      }
      if (still) {
        return;
      }
      wait(1); // nothing tells that a thread has to wait for a lock
    }
  }

  /** Whether a thread waits for a lock of another one that stands still. */
  private boolean isBlocked(Thread thread) {
    Thread.State state = thread.getState();
    if (state != Thread.State.BLOCKED && state != Thread.State.WAITING) {
      return false;
    }
    ThreadInfo info = THREADS.getThreadInfo(thread.threadId());
    return info != null
        && turns.entrySet().stream()
            .filter(each -> each.getKey().threadId() == info.getLockOwnerId())
            .anyMatch(each -> each.getValue().state == State.AT_STEP || isBlocked(each.getKey()));
  }

  private void requireAllEnded() {
    for (Map.Entry<Thread, Turn> each : turns.entrySet()) {
      if (each.getValue().state != State.ENDED) {
        throw new AssertionError(
            "each waits for another one: " + Arrays.toString(each.getKey().getStackTrace()));
      }
    }
  }

  private synchronized void letAllEnd() {
    free = true;
    turns.values().forEach(turn -> turn.granted.release());
  }

  private synchronized void throwFailure() {
    if (failure != null) {
      throw new AssertionError("one of the threads failed", failure);
    }
  }
}
