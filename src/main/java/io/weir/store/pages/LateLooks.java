package io.weir.store.pages;

import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Looks once a second at what happens after merges, until each has seen what it looks for.
 *
 * <p><b>Threads:</b> any. The looks run on one thread that is made when the first one waits, and
 * ends with the last: it holds no lock of Lucene's, and an engine's security policy judges Weir
 * alone on it. No thread waits for a look, and to add one takes no longer than to start a thread.
 *
 * <p><b>Bound:</b> {@value #MAX_WAITING} wait at a time; one more is given up at once.
 * <b>Failure:</b> no method throws. A look that fails is given up, and the first failure is logged.
 */
public final class LateLooks {

  static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

  static final int MAX_WAITING = 8;

  /** What is looked at. Its methods are called one at a time. */
  interface Look {

    /** Looks. The first time is at once, each other a second or more after the last. */
    boolean isDone() throws IOException;

    /** It is not called again: it is done, has failed, or its owner has gone. Must not fail. */
    void ended(boolean done);
  }

  private static final class Waiting {

    private final Object owner;
    private final Look look;
    private long dueNanos; // of the looking thread

    Waiting(Object owner, Look look, long dueNanos) {
      this.owner = owner;
      this.look = look;
      this.dueNanos = dueNanos;
    }
  }

  private final NanoClock clock;
  private final Executor threads;
  private final OnceLog failure = new OnceLog(LateLooks.class);

  // Guarded by this.
  private final List<Waiting> waiting = new ArrayList<>();
  private boolean running; // a thread looks, or was asked for
  private Thread thread; // that looks; null while none does

  /**
   * Without looks.
   *
   * @param threads makes a thread for each task
   */
  public LateLooks(NanoClock clock, Executor threads) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.threads = Objects.requireNonNull(threads, "threads");
  }

  /**
   * Looks from now on.
   *
   * @param owner for {@link #removeAll}; must not refer to what it shall not keep alive
   */
  void add(Object owner, Look look) {
    boolean refused;
    boolean starts = false;
    synchronized (this) {
      refused = waiting.size() >= MAX_WAITING;
      if (!refused) {
        waiting.add(new Waiting(owner, look, clock.nanoTime()));
        starts = !running;
        running = true;
        if (thread != null) {
          clock.unpark(thread);
        }
      }
    }
    if (refused) {
      look.ended(false);
    } else if (starts) {
      start();
    }
  }

  private void start() {
    try {
      threads.execute(this::run);
    } catch (RuntimeException | VirtualMachineError e) { // no thread can be started now
      List<Waiting> left;
      synchronized (this) {
        running = false;
        left = List.copyOf(waiting);
        waiting.clear();
      }
      left.forEach(each -> each.look.ended(false));
    }
  }

  /** Gives up those of an owner, and does not wait for one that runs. */
  void removeAll(Object owner) {
    List<Waiting> removed = new ArrayList<>();
    synchronized (this) {
      waiting.removeIf(each -> each.owner == owner && removed.add(each));
      if (thread != null) {
        clock.unpark(thread); // perhaps it may end
      }
    }
    removed.forEach(each -> each.look.ended(false));
  }

  private void run() {
    synchronized (this) {
      thread = Thread.currentThread();
    }
    for (Waiting next = next(); next != null; next = next()) {
      look(next);
    }
  }

  /** The next one, when it is due; null if none is left, and then the thread ends. */
  private Waiting next() {
    while (true) {
      long waitNanos;
      synchronized (this) {
        long nowNanos = clock.nanoTime();
        Waiting next =
            waiting.stream()
                .min(Comparator.comparingLong(each -> each.dueNanos - nowNanos))
                .orElse(null);
        if (next == null) {
          running = false;
          thread = null;
          return null;
        }
        waitNanos = next.dueNanos - nowNanos;
        if (waitNanos <= 0) {
          return next;
        }
      }
      clock.parkNanos(this, waitNanos);
    }
  }

  private void look(Waiting at) {
    boolean ends = true;
    boolean done = false;
    try {
      done = at.look.isDone();
      ends = done;
    } catch (Throwable e) {
      failure.warn("what readers use of a merged segment is not measured", e);
    }
    at.dueNanos = clock.nanoTime() + PERIOD_NANOS;
    if (ends && remove(at)) {
      at.look.ended(done);
    }
  }

  /** False if its owner has given it up meanwhile. */
  private synchronized boolean remove(Waiting at) {
    return waiting.remove(at);
  }
}
