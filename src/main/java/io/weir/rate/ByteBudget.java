package io.weir.rate;

import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One cap on bytes per second, shared by everything that is given it: any number of indexes, merges
 * and threads.
 *
 * <p>A writer asks before its bytes pass: {@link #acquire} waits for its turn and answers how many
 * may pass now; the writer passes that many and asks again. Whoever asks first is served first, and
 * under a cap one grant is never more than {@link #MAX_GRANT_BYTES}, so a big write cannot push
 * past small ones and equal writers get equal shares. In any window of {@code w} seconds at most
 * {@code rate * w + burst} bytes are granted. What a waiter oversleeps is not lost, up to the
 * burst.
 *
 * <p><b>Units:</b> bytes, and bytes per second; the burst is a time, so that a live change of rate
 * keeps the smoothness: what the rate gives in that time, but never under 4096 bytes nor over 1
 * GiB.
 *
 * <p><b>Threads:</b> every method may be called from any thread, virtual ones included; only {@link
 * #acquire} waits, and it heeds interrupts. A change of rate acts on the waiters at once.
 *
 * <p><b>Failure:</b> an interrupted {@link #acquire} has taken nothing, and its place in the queue
 * is the next one's.
 */
public final class ByteBudget {

  /** The burst unless told otherwise: what the rate gives in 50 ms. */
  public static final Duration DEFAULT_BURST = Duration.ofMillis(50);

  /** The most that one grant under a cap gives; also no more than half the burst. */
  public static final int MAX_GRANT_BYTES = 32 * 1024;

  private static final Duration MIN_BURST = Duration.ofMillis(1);
  private static final Duration MAX_BURST = Duration.ofSeconds(1);
  private static final long FOREVER = Long.MAX_VALUE;

  /*
   * Concurrency. `lock` guards the bucket and the queue; it is held for a few dozen instructions and
   * never while parked. Under it, whoever comes by grants to as many heads of the queue as there are
   * tokens for, and unparks each: so a thread that slept too long wakes all who were served
   * meanwhile, and no hand-over from one waiter to the next costs a wake-up in a row.
   *
   * Only the head parks for a known time; the others park until they are granted or become the head.
   * Whatever makes another waiter the head (a grant, an interrupt) unparks it, and so does a change
   * of rate; so exactly one waiter watches the clock. An unpark before the park is remembered, so no
   * wake-up is lost.
   *
   * `rate` is written under the lock and read without it on the unlimited path, which takes no lock:
   * a writer that reads UNLIMITED just before a change passes one more write at most.
   */
  private final NanoClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final TokenBucket bucket; // guarded by lock
  private final ArrayDeque<Waiter> queue = new ArrayDeque<>(); // guarded by lock
  private volatile Rate rate;

  private final LongAdder grantedBytes = new LongAdder();
  private final LongAdder grants = new LongAdder();
  private long delayedGrants; // guarded by lock
  private long finishedWaitNanos; // guarded by lock

  /** A budget of {@code bytes} per second with the default burst. */
  public static ByteBudget perSecond(long bytes) {
    return new ByteBudget(Rate.perSecond(bytes));
  }

  /** A budget that lets everything pass and counts it, until a rate is set. */
  public static ByteBudget unlimited() {
    return new ByteBudget(Rate.UNLIMITED);
  }

  /** A budget with the default burst. */
  public ByteBudget(Rate rate) {
    this(rate, DEFAULT_BURST, NanoClock.SYSTEM);
  }

  /**
   * A budget.
   *
   * @param rate to begin with
   * @param burst from 1 ms to 1 s: how much unused rate is kept for later
   * @param clock to pace by; {@link NanoClock#SYSTEM} but for tests
   * @throws IllegalArgumentException when {@code burst} is out of range
   */
  public ByteBudget(Rate rate, Duration burst, NanoClock clock) {
    this.rate = Objects.requireNonNull(rate, "rate");
    this.clock = Objects.requireNonNull(clock, "clock");
    if (burst.compareTo(MIN_BURST) < 0 || burst.compareTo(MAX_BURST) > 0) {
      throw new IllegalArgumentException(
          "burst must be from "
              + MIN_BURST.toMillis()
              + " to "
              + MAX_BURST.toMillis()
              + " ms: "
              + burst);
    }
    long bytesPerSecond = rate.isLimited() ? rate.bytesPerSecond() : Rate.MIN_BYTES_PER_SECOND;
    this.bucket = new TokenBucket(bytesPerSecond, burst.toNanos(), clock.nanoTime());
  }

  /**
   * Waits until some of {@code maxBytes} may pass and takes them.
   *
   * @return how many may pass now, from 1 to {@code maxBytes}; ask again for the rest
   * @throws InterruptedException under a cap or a pause, when the thread is interrupted before or
   *     while it waits
   */
  public long acquire(long maxBytes) throws InterruptedException {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1 byte: " + maxBytes);
    }
    long granted = rate.state() == Rate.State.UNLIMITED ? maxBytes : acquireInTurn(maxBytes);
    grantedBytes.add(granted);
    grants.increment();
    return granted;
  }

  /** The rate in force. */
  public Rate rate() {
    return rate;
  }

  /** Changes the rate; waiters are woken and go on under the new one at once. */
  public void setRate(Rate newRate) {
    Objects.requireNonNull(newRate, "newRate");
    lock.lock();
    try {
      long nowNanos = clock.nanoTime();
      switch (rate.state()) {
        case LIMITED -> bucket.accrue(nowNanos);
        case PAUSED -> bucket.skipTo(nowNanos);
        case UNLIMITED -> bucket.drain(nowNanos);
      }
      if (newRate.isLimited()) {
        bucket.setBytesPerSecond(newRate.bytesPerSecond(), nowNanos);
      }
      rate = newRate;
      grantLocked(nowNanos);
      wakeHeadLocked(); // its deadline is another one now
    } finally {
      lock.unlock();
    }
  }

  /** Changes the rate to a cap of {@code bytesPerSecond}. */
  public void setBytesPerSecond(long bytesPerSecond) {
    setRate(Rate.perSecond(bytesPerSecond));
  }

  /** What was granted so far. */
  public BudgetSnapshot snapshot() {
    lock.lock();
    try {
      long nowNanos = clock.nanoTime();
      long waitNanos = finishedWaitNanos;
      for (Waiter waiter : queue) {
        waitNanos += nowNanos - waiter.sinceNanos;
      }
      return new BudgetSnapshot(
          grantedBytes.sum(), grants.sum(), delayedGrants, waitNanos, queue.size());
    } finally {
      lock.unlock();
    }
  }

  private long acquireInTurn(long maxBytes) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Waiter me;
    lock.lock();
    try {
      long nowNanos = clock.nanoTime();
      if (queue.isEmpty()) {
        long granted = tryGrantLocked(maxBytes, nowNanos);
        if (granted > 0) {
          return granted;
        }
      }
      me = new Waiter(Thread.currentThread(), maxBytes, nowNanos);
      queue.addLast(me);
    } finally {
      lock.unlock();
    }
    while (me.grantedBytes == 0) {
      waitOnce(me);
      if (Thread.interrupted()) {
        giveUp(me);
      }
    }
    return me.grantedBytes;
  }

  private void waitOnce(Waiter me) {
    long waitNanos = FOREVER;
    lock.lock();
    try {
      long nowNanos = clock.nanoTime();
      grantLocked(nowNanos);
      if (me.grantedBytes > 0) {
        return;
      }
      if (queue.peekFirst() == me && rate.isLimited()) {
        waitNanos = bucket.nanosUntil(grantBytesLocked(me.maxBytes), nowNanos);
      }
    } finally {
      lock.unlock();
    }
    if (waitNanos == FOREVER) {
      clock.park(this);
    } else {
      clock.parkNanos(this, waitNanos);
    }
  }

  /** Leaves the queue for an interrupt; a grant that came first is kept, and the interrupt too. */
  private void giveUp(Waiter me) throws InterruptedException {
    lock.lock();
    try {
      if (me.grantedBytes > 0) {
        Thread.currentThread().interrupt();
        return;
      }
      queue.remove(me);
      finishedWaitNanos += clock.nanoTime() - me.sinceNanos;
      wakeHeadLocked();
    } finally {
      lock.unlock();
    }
    throw new InterruptedException();
  }

  /** Serves the queue from its head for as long as there are tokens. */
  private void grantLocked(long nowNanos) {
    boolean headChanged = false;
    for (Waiter head = queue.peekFirst(); head != null; head = queue.peekFirst()) {
      long granted = tryGrantLocked(head.maxBytes, nowNanos);
      if (granted == 0) {
        break;
      }
      queue.removeFirst();
      headChanged = true;
      delayedGrants++;
      finishedWaitNanos += nowNanos - head.sinceNanos;
      head.grantedBytes = granted;
      wake(head);
    }
    if (headChanged) {
      wakeHeadLocked();
    }
  }

  /** What may pass now, or 0. */
  private long tryGrantLocked(long maxBytes, long nowNanos) {
    return switch (rate.state()) {
      case UNLIMITED -> maxBytes;
      case PAUSED -> 0;
      case LIMITED -> {
        long bytes = grantBytesLocked(maxBytes);
        yield bucket.tryTake(bytes, nowNanos) ? bytes : 0;
      }
    };
  }

  /**
   * How much one grant is under a cap. Never more than half the burst: the other half is room for
   * the tokens that arrive while a waiter oversleeps; one that waited for a full bucket would lose
   * them.
   */
  private long grantBytesLocked(long maxBytes) {
    return Math.min(maxBytes, Math.min(MAX_GRANT_BYTES, bucket.burstBytes() / 2));
  }

  private void wakeHeadLocked() {
    Waiter head = queue.peekFirst();
    if (head != null) {
      wake(head);
    }
  }

  private void wake(Waiter waiter) {
    if (waiter.thread != Thread.currentThread()) {
      clock.unpark(waiter.thread);
    }
  }
}
