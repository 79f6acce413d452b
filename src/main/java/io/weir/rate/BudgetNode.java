package io.weir.rate;

import io.weir.time.NanoClock;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * The place of one budget in its tree: its bucket, what competes for it, and its counts.
 *
 * <p><b>Threads:</b> the bucket is replaced by compare-and-set, by anyone; that is the whole of an
 * uncontended grant. The fields that order the waiting are guarded by the lock of the {@link
 * BudgetTree}.
 */
final class BudgetNode extends Flow {

  final BudgetNode parent;
  final RequestQueue own = new RequestQueue(this);

  private final AtomicReference<TokenBucket> bucket;
  private final LongAdder grantedBytes = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder forgivenBytes = new LongAdder();

  /** Whether what is under this passes at once; written under the lock. */
  volatile boolean debited;

  /** Threads that wait here or under here; written under the lock. */
  volatile int waiting;

  /** Until when grants go through the queue, waiter or not; written under the lock. */
  volatile long contendedUntilNanos;

  // Guarded by the room's lock.
  final PriorityQueue<Flow> ready = new PriorityQueue<>(2, Flow::byTurn);
  long virtualTag;
  boolean throttled;
  long throttledUntilNanos;
  private long waitingSinceNanosSum;
  private long finishedWaitNanos;
  private long delayedRequests;

  BudgetNode(BudgetNode parent, BudgetOptions options, long nowNanos) {
    super(options.weight());
    this.parent = parent;
    this.contendedUntilNanos = nowNanos;
    this.bucket =
        new AtomicReference<>(
            TokenBucket.full(options.rate(), options.burst().toNanos(), nowNanos));
  }

  @Override
  BudgetNode server() {
    return debited ? null : parent;
  }

  @Override
  boolean isBacklogged() {
    return !ready.isEmpty();
  }

  TokenBucket bucket() {
    return bucket.get();
  }

  /**
   * The uncontended grant: no lock, one compare-and-set for each cap on the way up.
   *
   * @return 0 if it has to wait, or others wait for the same tokens or did a moment ago
   */
  long takeAtOnce(long maxBytes, NanoClock clock) {
    long bytes = maxBytes;
    boolean limited = false;
    long nowNanos = 0;
    BudgetNode top = this; // the first one that lets all pass, or none
    for (; top != null && !top.debited; top = top.parent) {
      TokenBucket held = top.bucket();
      if (held.rate().state() != Rate.State.UNLIMITED) {
        if (held.rate().state() == Rate.State.PAUSED || top.waiting > 0) {
          return 0;
        }
        if (!limited) {
          limited = true;
          nowNanos = clock.nanoTime();
        }
        if (nowNanos - top.contendedUntilNanos < 0) {
          return 0;
        }
        bytes = Math.min(bytes, held.maxGrantBytes());
      }
    }
    if (!limited && top == null) {
      return bytes;
    }
    if (!limited) {
      nowNanos = clock.nanoTime();
    }
    for (BudgetNode n = this; n != top; n = n.parent) {
      if (!n.tryTake(bytes, nowNanos)) {
        for (BudgetNode taken = this; taken != n; taken = taken.parent) {
          taken.giveBack(bytes, nowNanos);
        }
        return 0;
      }
    }
    for (BudgetNode n = top; n != null; n = n.parent) {
      n.debit(bytes, nowNanos);
    }
    return bytes;
  }

  /** The burst of the cap that holds here: its own, or the nearest one above; 0 without any. */
  long burstBytes() {
    for (BudgetNode n = this; n != null; n = n.server()) {
      TokenBucket held = n.bucket();
      if (held.rate().isLimited()) {
        return held.burstBytes();
      }
    }
    return 0;
  }

  boolean tryTake(long bytes, long nowNanos) {
    while (true) {
      TokenBucket before = bucket.get();
      if (!before.holds(bytes, nowNanos)) {
        return false;
      }
      TokenBucket after = before.minus(bytes, nowNanos);
      if (after == before || bucket.compareAndSet(before, after)) {
        return true;
      }
    }
  }

  void giveBack(long bytes, long nowNanos) {
    bucket.updateAndGet(held -> held.plus(bytes, nowNanos));
  }

  /** Lets bytes pass whatever the bucket holds. */
  void debit(long bytes, long nowNanos) {
    TokenBucket before = bucket.getAndUpdate(held -> held.minus(bytes, nowNanos));
    long forgiven = before.forgivenBytes(bytes, nowNanos);
    if (forgiven > 0) {
      forgivenBytes.add(forgiven);
    }
  }

  void changeRate(Rate rate, long nowNanos) {
    TokenBucket before = bucket.getAndUpdate(held -> held.withRate(rate, nowNanos));
    TokenBucket after = before.withRate(rate, nowNanos);
    forgivenBytes.add(before.debtBytes(nowNanos) - after.debtBytes(nowNanos));
  }

  /** A grant of this or of one under it. */
  void countGrant(long bytes) {
    grantedBytes.add(bytes);
    requests.increment();
  }

  void waitBeginsLocked(Waiter waiter) {
    waiting++;
    waitingSinceNanosSum += waiter.sinceNanos;
  }

  void waitEndsLocked(Waiter waiter, long nowNanos) {
    waiting--;
    waitingSinceNanosSum -= waiter.sinceNanos;
    if (waiter.delayed) {
      finishedWaitNanos += nowNanos - waiter.sinceNanos;
      delayedRequests += waiter.isGranted() ? 1 : 0;
    }
  }

  /** Of one that had waited for it. */
  void grantTakenBackLocked() {
    delayedRequests--;
  }

  BudgetSnapshot snapshotLocked(long nowNanos) {
    return new BudgetSnapshot(
        grantedBytes.sum(),
        requests.sum(),
        delayedRequests,
        finishedWaitNanos + waiting * nowNanos - waitingSinceNanosSum,
        waiting,
        bucket.get().debtBytes(nowNanos),
        forgivenBytes.sum());
  }
}
