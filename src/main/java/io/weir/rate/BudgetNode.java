package io.weir.rate;

import io.weir.time.NanoClock;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * One budget in its tree: its bucket, the flows that compete for it, and its counters.
 *
 * <p><b>Threads:</b> any thread may replace the bucket, by compare-and-set; an uncontended grant
 * needs nothing more. The fields that order the waiting are guarded by the lock of the {@link
 * BudgetTree}.
 */
final class BudgetNode extends Flow<BudgetNode> {

  final BudgetNode parent;

  private final AtomicReference<TokenBucket> bucket;
  private final LongAdder grantedBytes = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder forgivenBytes = new LongAdder();

  /** Whether bytes of this budget and its children pass at once; written under the lock. */
  volatile boolean debited;

  /** Threads that wait at this budget or below it; written under the lock. */
  volatile int waiting;

  /**
   * Until then all grants go through the queue, even if no thread waits; written under the lock.
   */
  volatile long contendedUntilNanos;

  // Guarded by the tree's lock.
  final PriorityQueue<Flow<BudgetNode>> ready = new PriorityQueue<>(2, Flow::byTurn);
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
   * @return 0 if the thread has to wait, or if others wait for the same tokens or did a moment ago
   */
  long takeAtOnce(long maxBytes, NanoClock clock) {
    long bytes = maxBytes;
    boolean limited = false;
    long nowNanos = 0;
    BudgetNode top = this; // the lowest debited node; null if there is none
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

  /**
   * The burst of the cap in force here: its own, or the nearest one above; 0 if there is no cap.
   */
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

  /** Lets bytes pass, however few tokens the bucket holds. */
  void debit(long bytes, long nowNanos) {
    TokenBucket before = bucket.getAndUpdate(held -> held.minus(bytes, nowNanos));
    long forgiven = before.forgivenBytes(bytes, nowNanos);
    if (forgiven > 0) {
      forgivenBytes.add(forgiven);
    }
  }

  /** As {@link #debit}, but nothing is forgiven. */
  void owe(long bytes, long nowNanos) {
    bucket.updateAndGet(held -> held.owing(bytes, nowNanos));
  }

  void changeRate(Rate rate, long nowNanos) {
    TokenBucket before = bucket.getAndUpdate(held -> held.withRate(rate, nowNanos));
    TokenBucket after = before.withRate(rate, nowNanos);
    forgivenBytes.add(before.debtBytes(nowNanos) - after.debtBytes(nowNanos));
  }

  /** Counts a grant of this budget or of one below it. */
  void countGrant(long bytes) {
    grantedBytes.add(bytes);
    requests.increment();
  }

  void waitBeginsLocked(long sinceNanos) {
    waiting++;
    waitingSinceNanosSum += sinceNanos;
  }

  void waitEndsLocked(long sinceNanos) {
    waiting--;
    waitingSinceNanosSum -= sinceNanos;
  }

  /** A request that had to wait has ended. */
  void countDelayLocked(long waitNanos, boolean granted) {
    finishedWaitNanos += waitNanos;
    delayedRequests += granted ? 1 : 0;
  }

  /** A request that had waited gives its grant back. */
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
