package io.weir.rate;

import io.weir.rate.RequestQueue.Request;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The part that the budgets of one tree share: it lets threads wait and wakes them. {@link
 * FairQueue} decides the order.
 *
 * <p>Concurrency. The lock guards the queue and the scheduling fields of every node. A thread holds
 * it for a few dozen instructions, and never while it waits or wakes another. Each thread that
 * takes the lock grants all requests for which there are tokens. So a thread that slept too long
 * serves all others at once, instead of a chain of wake-ups.
 *
 * <p>When the next grant depends on time alone, one waiting thread, the timekeeper, waits with a
 * timeout; the others wait for a signal. As a rule the timekeeper has the next request, so it wakes
 * for its own grant. A thread that changes which request is next appoints a new timekeeper and
 * signals it. A signal that arrives before the wait ends that wait, so no signal is lost. Only a
 * thread that has entered {@link #await} can be timekeeper: before that, a listener may delay it.
 *
 * <p>A grant without the lock (see {@link ByteBudget}) happens only when no thread waits for the
 * same tokens. In a race with a new request, it may take its bytes first. That is harmless, because
 * the timekeeper checks again when its timeout ends.
 */
final class BudgetTree {

  private final NanoClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final FairQueue queue = new FairQueue(); // guarded by lock
  private final Set<Request> awaiting = new LinkedHashSet<>(); // guarded by lock
  private Request timekeeper; // guarded by lock; one of those awaiting
  private long timekeeperWakesAtNanos; // guarded by lock

  BudgetTree(NanoClock clock) {
    this.clock = clock;
  }

  /** Queues the request. If it is granted at once, it has not waited. */
  void enter(Request request) {
    List<Request> wakeUps = new ArrayList<>();
    lock.lock();
    try {
      queue.add(request);
      serveLocked(wakeUps);
      request.delayed = !request.isGranted();
    } finally {
      lock.unlock();
    }
    signalAll(wakeUps);
  }

  /**
   * Waits until the request is granted or cancelled, or until {@code timeoutNanos} have passed
   * since it was made. Afterwards it is no longer in the queue.
   *
   * @throws InterruptedException when interrupted before the grant; then nothing was granted
   */
  void await(Request request, long timeoutNanos) throws InterruptedException {
    boolean interrupted = Thread.interrupted();
    boolean failed = true;
    try {
      while (!request.isGranted() && !interrupted && !request.strategy.isCancelled()) {
        long leftNanos =
            timeoutNanos == TokenBucket.FOREVER
                ? TokenBucket.FOREVER
                : timeoutNanos - (clock.nanoTime() - request.sinceNanos);
        if (leftNanos <= 0) {
          break;
        }
        interrupted = awaitOnce(request, leftNanos);
      }
      failed = false;
    } finally {
      leave(request, failed);
    }
    if (interrupted) {
      if (!request.isGranted()) {
        throw new InterruptedException();
      }
      Thread.currentThread().interrupt(); // the grant came first: keep it, and the status
    }
  }

  /**
   * Changes the rate of a node, serves the requests that now may pass, and returns the old rate.
   */
  Rate setRate(BudgetNode node, Rate rate) {
    List<Request> wakeUps = new ArrayList<>();
    Rate before;
    lock.lock();
    try {
      before = node.bucket().rate();
      node.changeRate(rate, clock.nanoTime());
      queue.reconsider(node);
      serveLocked(wakeUps);
    } finally {
      lock.unlock();
    }
    signalAll(wakeUps);
    return before;
  }

  /** Sets whether requests at the node and below it pass at once. */
  void setDebited(BudgetNode node, boolean debited) {
    List<Request> wakeUps = new ArrayList<>();
    lock.lock();
    try {
      queue.setDebited(node, debited);
      serveLocked(wakeUps);
    } finally {
      lock.unlock();
    }
    signalAll(wakeUps);
  }

  /** Sets the weight of the node's grants from now on; requests that wait keep their turn. */
  void setWeight(BudgetNode node, int weight) {
    lock.lock();
    try {
      node.setWeight(weight);
    } finally {
      lock.unlock();
    }
  }

  BudgetSnapshot snapshot(BudgetNode node) {
    lock.lock();
    try {
      return node.snapshotLocked(clock.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Serves the queue, then waits unless the request was granted; returns whether it was
   * interrupted.
   */
  private boolean awaitOnce(Request request, long atMostNanos) {
    List<Request> wakeUps = new ArrayList<>();
    long waitNanos = atMostNanos;
    lock.lock();
    try {
      request.clearSignal();
      if (!request.isGranted()) {
        awaiting.add(request);
      }
      long nowNanos = serveLocked(wakeUps);
      if (timekeeper == request) {
        long untilNextNanos = queue.nanosUntilNext(nowNanos);
        timekeeperWakesAtNanos = nowNanos + untilNextNanos;
        waitNanos = Math.min(waitNanos, untilNextNanos);
      }
    } finally {
      lock.unlock();
    }
    wakeUps.remove(request);
    signalAll(wakeUps);
    if (request.isGranted()) {
      return false;
    }
    try {
      request.strategy.await(waitNanos, request::isStillWaiting);
      return Thread.interrupted();
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** A failed request gives its grant back: its caller gets an exception instead. */
  private void leave(Request request, boolean failed) {
    if (request.isGranted() && !failed) {
      return; // the thread that granted it has removed it
    }
    List<Request> wakeUps = new ArrayList<>();
    lock.lock();
    try {
      if (!request.isGranted()) {
        queue.remove(request, clock.nanoTime());
      } else if (failed) {
        queue.takeBack(request, clock.nanoTime());
      }
      awaiting.remove(request);
      serveLocked(wakeUps);
    } finally {
      lock.unlock();
    }
    signalAll(wakeUps);
  }

  /** Serves all requests it can, makes sure that there is a timekeeper, and returns the time. */
  private long serveLocked(List<Request> wakeUps) {
    long nowNanos = clock.nanoTime();
    queue.serve(
        nowNanos,
        granted -> {
          awaiting.remove(granted);
          wakeUps.add(granted);
        });
    long waitNanos = queue.nanosUntilNext(nowNanos);
    if (waitNanos == TokenBucket.FOREVER || !awaiting.contains(timekeeper)) {
      timekeeper = null;
    }
    if (waitNanos != TokenBucket.FOREVER
        && (timekeeper == null || nowNanos + waitNanos - timekeeperWakesAtNanos < 0)) {
      Request next = queue.next();
      if (awaiting.contains(next)) {
        timekeeper = next;
      } else if (timekeeper == null && !awaiting.isEmpty()) {
        timekeeper = awaiting.iterator().next();
      } else {
        return nowNanos; // the next request's thread will serve the queue when it enters await
      }
      timekeeperWakesAtNanos = nowNanos + waitNanos;
      wakeUps.add(timekeeper);
    }
    return nowNanos;
  }

  /** A thread that cannot be woken does not keep the others asleep. */
  private static void signalAll(List<Request> requests) {
    Throwable failure = null;
    for (Request request : requests) {
      try {
        request.signal();
      } catch (Throwable e) {
        failure = e;
      }
    }
    if (failure != null) {
      OnceLog.write(
          BudgetTree.class,
          Level.WARNING,
          "a wait strategy failed to wake a thread that waits for a byte budget",
          failure);
    }
  }
}
