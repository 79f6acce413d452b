package io.weir.rate;

import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * One cap on bytes per second, shared by everything that is given it: any number of indexes, merges
 * and threads.
 *
 * <p>A writer asks before its bytes pass: {@link #acquire(long)} waits for its turn and answers how
 * many may pass now; the writer passes that many and asks again. Whoever asks first is served
 * first, and under a cap one grant is never more than {@link #MAX_GRANT_BYTES}, so a big write
 * cannot push past small ones: writers of one budget get turns, and those that ask for as much get
 * as much. In any window of {@code w} seconds at most {@code rate * w + burst} bytes are granted,
 * debits (below) apart. What a waiter oversleeps is not lost, up to the burst.
 *
 * <p><b>A tree of budgets.</b> A {@link #child} is a share of its parent: a process holds disks, a
 * disk indexes, an index merges; each level may have a cap of its own or none. Children that
 * compete get the parent's bytes by weight, however they ask for them; what one does not use the
 * others get. A child needs no close.
 *
 * <p><b>Bytes that must not wait</b> pass under a {@link Pacing#DEBITED} budget: at once, and owed
 * by all who do wait, here and above. What is owed is bounded by ten seconds of the rate and 4 GiB;
 * debits beyond that are forgiven and counted, so that they cannot lock the others out for long.
 *
 * <p><b>Units:</b> bytes, and bytes per second; the burst is a time, so that a live change of rate
 * keeps the smoothness.
 *
 * <p><b>Threads:</b> every method may be called from any thread, virtual ones included; only the
 * ways to acquire wait. A grant that need not wait takes no lock while nobody waits at or under any
 * cap that it passes. A change of rate acts on the waiters at once; a writer that read the old rate
 * a moment before passes one more grant at most.
 *
 * <p><b>Failure:</b> a wait that is interrupted, times out or is cancelled has taken nothing, and
 * its place in the queue is the next one's.
 */
public final class ByteBudget {

  /** Whether what is under a budget waits for its grants. */
  public enum Pacing {
    /** It waits for its turn. */
    PACED,
    /** It passes at once, and is owed by those who do wait. */
    DEBITED
  }

  /** The most that one grant under a cap gives; also no more than half the burst. */
  public static final int MAX_GRANT_BYTES = 32 * 1024;

  private final String name;
  private final ByteBudget parent;
  private final NanoClock clock;
  private final BudgetNode node;
  private final BudgetTree room;
  private final WaitStrategy parking;
  private final BudgetListeners listeners;

  /** A budget of {@code bytes} per second with the default burst. */
  public static ByteBudget perSecond(long bytes) {
    return new ByteBudget(BudgetOptions.of(Rate.perSecond(bytes)));
  }

  /** A budget that lets everything pass and counts it, until a rate is set. */
  public static ByteBudget unlimited() {
    return new ByteBudget(BudgetOptions.of(Rate.UNLIMITED));
  }

  /** A budget that is no share of another. */
  public ByteBudget(BudgetOptions options) {
    this(options, NanoClock.SYSTEM);
  }

  /** A budget that is paced by another clock than the machine's, for tests. */
  public ByteBudget(BudgetOptions options, NanoClock clock) {
    this(options, null, clock, new BudgetTree(clock), new ParkingStrategy(clock));
  }

  private ByteBudget(
      BudgetOptions options,
      ByteBudget parent,
      NanoClock clock,
      BudgetTree room,
      WaitStrategy parking) {
    this.name = options.name();
    this.parent = parent;
    this.clock = clock;
    this.room = room;
    this.parking = parking;
    this.node = new BudgetNode(parent == null ? null : parent.node, options, clock.nanoTime());
    this.listeners = new BudgetListeners(name, parent == null ? null : parent.listeners);
  }

  /** A share of this budget. */
  public ByteBudget child(BudgetOptions options) {
    return new ByteBudget(options, this, clock, room, parking);
  }

  /** For messages and metrics. */
  public String name() {
    return name;
  }

  /** What this is a share of. */
  public Optional<ByteBudget> parent() {
    return Optional.ofNullable(parent);
  }

  /**
   * Waits until some of {@code maxBytes} may pass and takes them.
   *
   * @return how many may pass now, from 1 to {@code maxBytes}; ask again for the rest
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  public long acquire(long maxBytes) throws InterruptedException {
    return acquire(maxBytes, parking, TokenBucket.FOREVER);
  }

  /**
   * As {@link #acquire(long)}, but waits in a place that the caller knows.
   *
   * @return how many may pass now; 0 only when {@link WaitStrategy#isCancelled}
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  public long acquire(long maxBytes, WaitStrategy strategy) throws InterruptedException {
    return acquire(maxBytes, strategy, TokenBucket.FOREVER);
  }

  /**
   * As {@link #acquire(long)}, but waits no longer than {@code timeout}; zero does not wait.
   *
   * @return how many may pass now; 0 when none could within that time
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  public long tryAcquire(long maxBytes, Duration timeout) throws InterruptedException {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be at least 0 ns: " + timeout);
    }
    return acquire(maxBytes, parking, saturatedNanos(timeout));
  }

  /** The rate in force. */
  public Rate rate() {
    return node.bucket().rate();
  }

  /** Changes the rate; those waiters who may pass under the new one go on at once. */
  public void setRate(Rate newRate) {
    Objects.requireNonNull(newRate, "newRate");
    Rate before = room.setRate(node, newRate);
    listeners.rateChanged(before, newRate);
  }

  /** Changes the rate to a cap of {@code bytesPerSecond}. */
  public void setBytesPerSecond(long bytesPerSecond) {
    setRate(Rate.perSecond(bytesPerSecond));
  }

  /** Whether what is under this budget waits. */
  public Pacing pacing() {
    return node.debited ? Pacing.DEBITED : Pacing.PACED;
  }

  /**
   * Sets whether what is under this budget waits; with {@link Pacing#DEBITED} those who do are let
   * go. A cap of a child still holds for the child.
   */
  public void setPacing(Pacing pacing) {
    room.setDebited(node, Objects.requireNonNull(pacing, "pacing") == Pacing.DEBITED);
  }

  /** What this budget and all under it were granted so far. */
  public BudgetSnapshot snapshot() {
    return room.snapshot(node);
  }

  /** From now on {@code listener} is told of waits here and under here, and of changes of rate. */
  public void addListener(BudgetListener listener) {
    listeners.add(listener);
  }

  /** It is told no more. */
  public void removeListener(BudgetListener listener) {
    listeners.remove(listener);
  }

  @Override
  public String toString() {
    return "ByteBudget(" + name + ", " + rate() + ")";
  }

  private long acquire(long maxBytes, WaitStrategy strategy, long timeoutNanos)
      throws InterruptedException {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1 byte: " + maxBytes);
    }
    if (strategy.isCancelled()) {
      return 0;
    }
    long granted = node.takeAtOnce(maxBytes, clock);
    if (granted == 0) {
      granted = acquireInTurn(maxBytes, strategy, timeoutNanos);
    }
    for (BudgetNode n = node; granted > 0 && n != null; n = n.parent) {
      n.countGrant(granted);
    }
    return granted;
  }

  private long acquireInTurn(long maxBytes, WaitStrategy strategy, long timeoutNanos)
      throws InterruptedException {
    Waiter me = new Waiter(node, maxBytes, strategy, clock.nanoTime());
    room.enter(me);
    if (me.isGranted()) {
      return me.grantedBytes();
    }
    if (timeoutNanos == 0) {
      room.await(me, timeoutNanos); // not at all
      return me.grantedBytes();
    }
    listeners.waitStarted(maxBytes);
    try {
      room.await(me, timeoutNanos);
    } finally {
      listeners.waitEnded(me.grantedBytes(), clock.nanoTime() - me.sinceNanos);
    }
    return me.grantedBytes();
  }

  private static long saturatedNanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(TokenBucket.FOREVER)) >= 0
        ? TokenBucket.FOREVER
        : duration.toNanos();
  }
}
