package io.weir.rate;

import io.weir.time.NanoClock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where the threads of one tree of budgets wait: the thin shell of waking and waiting around {@link
 * FairQueue}.
 *
 * <p>Concurrency. The lock guards the queue and what orders the waiting in every node; it is held
 * for a few dozen instructions and never while a thread waits or is called. Under it, whoever comes
 * by grants to as many as there are tokens for: so a thread that slept too long calls all who were
 * served meanwhile, and no hand-over from one waiter to the next costs wake-ups in a row.
 *
 * <p>While time alone can let someone pass, one waiter, the watcher, waits for a known time; the
 * others wait until they are called. The watcher is who will be granted next, as far as can be
 * told, so as a rule it wakes for itself. Whoever changes what comes next appoints another and
 * calls it. A call that comes before the wait ends that wait, so none is lost. Only one that is
 * present can watch: who has just come may be held up by a listener that it tells of its wait.
 *
 * <p>A grant without the lock (see {@link ByteBudget}) happens only where nobody waits for the same
 * tokens. One that saw no waiter a moment before there was one takes its bytes ahead of it; nothing
 * else can go wrong, because the watcher looks again when its time has come.
 */
final class BudgetTree {

  private final NanoClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final FairQueue queue = new FairQueue(); // guarded by lock
  private final Set<Waiter> present = new LinkedHashSet<>(); // guarded by lock
  private Waiter watcher; // guarded by lock; one of those present
  private long watcherWakesAtNanos; // guarded by lock

  BudgetTree(NanoClock clock) {
    this.clock = clock;
  }

  /** Stands {@code me} in line. If it is granted at once it has not waited. */
  void enter(Waiter me) {
    List<Waiter> calls = new ArrayList<>();
    lock.lock();
    try {
      queue.add(me);
      serveLocked(calls);
      me.delayed = !me.isGranted();
    } finally {
      lock.unlock();
    }
    callAll(calls);
  }

  /**
   * Waits until {@code me} is granted, called off, or {@code timeoutNanos} have passed since it
   * came. In the end it stands in line no more.
   *
   * @throws InterruptedException when interrupted before; then it was granted nothing
   */
  void await(Waiter me, long timeoutNanos) throws InterruptedException {
    boolean interrupted = Thread.interrupted();
    boolean failed = true;
    try {
      while (!me.isGranted() && !interrupted && !me.strategy.isCancelled()) {
        long leftNanos =
            timeoutNanos == TokenBucket.FOREVER
                ? TokenBucket.FOREVER
                : timeoutNanos - (clock.nanoTime() - me.sinceNanos);
        if (leftNanos <= 0) {
          break;
        }
        interrupted = awaitOnce(me, leftNanos);
      }
      failed = false;
    } finally {
      leave(me, failed);
    }
    if (interrupted) {
      if (!me.isGranted()) {
        throw new InterruptedException();
      }
      Thread.currentThread().interrupt(); // the grant came first: it is kept, and so is the news
    }
  }

  /** Gives a node another rate, lets those go on who may under it, and says the old rate. */
  Rate setRate(BudgetNode node, Rate rate) {
    List<Waiter> calls = new ArrayList<>();
    Rate before;
    lock.lock();
    try {
      before = node.bucket().rate();
      node.changeRate(rate, clock.nanoTime());
      queue.reconsider(node);
      serveLocked(calls);
    } finally {
      lock.unlock();
    }
    callAll(calls);
    return before;
  }

  /** Lets what is under the node pass at once, or no more. */
  void setDebited(BudgetNode node, boolean debited) {
    List<Waiter> calls = new ArrayList<>();
    lock.lock();
    try {
      queue.setDebited(node, debited);
      serveLocked(calls);
    } finally {
      lock.unlock();
    }
    callAll(calls);
  }

  BudgetSnapshot snapshot(BudgetNode node) {
    lock.lock();
    try {
      return node.snapshotLocked(clock.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** Looks who may pass, and waits if that is not {@code me}; says whether it was interrupted. */
  private boolean awaitOnce(Waiter me, long atMostNanos) {
    List<Waiter> calls = new ArrayList<>();
    long waitNanos = atMostNanos;
    lock.lock();
    try {
      me.listen();
      if (!me.isGranted()) {
        present.add(me);
      }
      long nowNanos = serveLocked(calls);
      if (watcher == me) {
        long untilNextNanos = queue.nanosUntilNext(nowNanos);
        watcherWakesAtNanos = nowNanos + untilNextNanos;
        waitNanos = Math.min(waitNanos, untilNextNanos);
      }
    } finally {
      lock.unlock();
    }
    calls.remove(me);
    callAll(calls);
    if (me.isGranted()) {
      return false;
    }
    try {
      me.strategy.await(waitNanos, me::isStillWaiting);
      return Thread.interrupted();
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** One that failed hands back even what it was granted: its caller gets an exception instead. */
  private void leave(Waiter me, boolean failed) {
    if (me.isGranted() && !failed) {
      return; // who granted it has seen to the rest
    }
    List<Waiter> calls = new ArrayList<>();
    lock.lock();
    try {
      if (!me.isGranted()) {
        queue.remove(me, clock.nanoTime());
      } else if (failed) {
        queue.takeBack(me, clock.nanoTime());
      }
      present.remove(me);
      serveLocked(calls);
    } finally {
      lock.unlock();
    }
    callAll(calls);
  }

  /** Serves whom it can, sees to it that someone watches the clock, and says what time it was. */
  private long serveLocked(List<Waiter> calls) {
    long nowNanos = clock.nanoTime();
    queue.serve(
        nowNanos,
        granted -> {
          present.remove(granted);
          calls.add(granted);
        });
    long waitNanos = queue.nanosUntilNext(nowNanos);
    if (waitNanos == TokenBucket.FOREVER || !present.contains(watcher)) {
      watcher = null;
    }
    if (waitNanos != TokenBucket.FOREVER
        && (watcher == null || nowNanos + waitNanos - watcherWakesAtNanos < 0)) {
      Waiter next = queue.next();
      if (present.contains(next)) {
        watcher = next;
      } else if (watcher == null && !present.isEmpty()) {
        watcher = present.iterator().next();
      } else {
        return nowNanos; // the next one looks for itself when it comes
      }
      watcherWakesAtNanos = nowNanos + waitNanos;
      calls.add(watcher);
    }
    return nowNanos;
  }

  /** One who cannot be woken keeps none of the others asleep. */
  private static void callAll(List<Waiter> waiters) {
    Throwable failure = null;
    for (Waiter waiter : waiters) {
      try {
        waiter.call();
      } catch (Throwable e) {
        failure = e;
      }
    }
    if (failure != null) {
      BudgetListeners.warn("a strategy failed to wake a waiter of a byte budget", failure);
    }
  }
}
