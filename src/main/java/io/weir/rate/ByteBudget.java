package io.weir.rate;

import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.RequestQueue.Request;
import io.weir.time.Listeners;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One cap on bytes per second, shared by any number of indexes, merges and threads.
 *
 * <p>A writer acquires bytes before it writes them: {@link #acquire(long)} waits for its turn and
 * returns how many may pass now. The writer writes that many and asks again. Requests are served in
 * order of arrival. Under a cap, one grant is at most {@link #MAX_GRANT_BYTES}, so large writes
 * cannot starve small ones: writers with equal demand get equal shares. In any window of {@code w}
 * seconds at most {@code rate * w + burst} bytes are granted, not counting debits (below). Time
 * that a thread oversleeps is not lost, up to the burst.
 *
 * <p><b>A tree of budgets.</b> A {@link #child} is a share of its parent: a process holds disks, a
 * disk indexes, an index merges. Each level may have a cap of its own. Children that compete get
 * the parent's bytes by weight, however they ask for them; what one child does not use goes to the
 * others. A child needs no close.
 *
 * <p><b>Bytes that must not wait</b> use a {@link Pacing#DEBITED} budget. They pass at once, and
 * become a debt that the waiting threads pay back, here and above. The debt is at most ten seconds
 * of the rate and at most 4 GiB. Debits beyond that are forgiven and counted, so that they cannot
 * lock the others out for long.
 *
 * <p><b>Units:</b> bytes, and bytes per second; the burst is a time, so that a change of rate keeps
 * the output as smooth.
 *
 * <p><b>Threads:</b> any thread, including virtual threads, may call every method; only the acquire
 * methods wait. A grant takes no lock while no thread waits at or below any cap that it passes. A
 * change of rate acts on waiting threads at once. A writer that has just read the old rate passes
 * at most one more grant.
 *
 * <p><b>Failure:</b> a wait that is interrupted, times out or is cancelled takes nothing.
 */
public final class ByteBudget {

  /** Whether requests to a budget wait for their grants. */
  public enum Pacing {
    /** They wait for their turn. */
    PACED,
    /** They pass at once, and become a debt that waiting requests pay back. */
    DEBITED
  }

  /** The largest grant under a cap; a grant is also at most half the burst. */
  public static final int MAX_GRANT_BYTES = TokenBucket.MAX_GRANT_BYTES;

  private final String name;
  private final ByteBudget parent;
  private final NanoClock clock;
  private final BudgetNode node;
  private final RequestQueue requests;
  private final BudgetTree tree;
  private final WaitStrategy parking;
  private final Listeners<BudgetListener> listeners;
  private volatile Counting counting;

  /** A budget of {@code bytes} per second with the default burst. */
  public static ByteBudget perSecond(long bytes) {
    return new ByteBudget(BudgetOptions.of(Rate.perSecond(bytes)));
  }

  /** A budget that counts bytes and never waits, until a rate is set. */
  public static ByteBudget unlimited() {
    return new ByteBudget(BudgetOptions.of(Rate.UNLIMITED));
  }

  /** A budget without a parent. */
  public ByteBudget(BudgetOptions options) {
    this(Objects.requireNonNull(options, "options"), NanoClock.SYSTEM);
  }

  /** A budget that uses the given clock instead of the machine's, for tests. */
  public ByteBudget(BudgetOptions options, NanoClock clock) {
    this(
        Objects.requireNonNull(options, "options"),
        null,
        Objects.requireNonNull(clock, "clock"),
        new BudgetTree(clock),
        new ParkingStrategy(clock));
  }

  private ByteBudget(
      BudgetOptions options,
      ByteBudget parent,
      NanoClock clock,
      BudgetTree tree,
      WaitStrategy parking) {
    this.name = options.name();
    this.parent = parent;
    this.clock = clock;
    this.tree = tree;
    this.parking = parking;
    this.node = new BudgetNode(parent == null ? null : parent.node, options, clock.nanoTime());
    this.requests = new RequestQueue(node);
    this.counting = options.counting();
    this.listeners =
        new Listeners<>(
            new OnceLog(ByteBudget.class),
            "a listener of the byte budget " + name + " failed; it is still called");
  }

  /** A share of this budget. */
  public ByteBudget child(BudgetOptions options) {
    Objects.requireNonNull(options, "options");
    return new ByteBudget(options, this, clock, tree, parking);
  }

  /** For messages and metrics. */
  public String name() {
    return name;
  }

  /** The budget that this is a share of. */
  public Optional<ByteBudget> parent() {
    return Optional.ofNullable(parent);
  }

  /**
   * Waits until some of {@code maxBytes} may pass, and takes them.
   *
   * @return how many bytes may pass now, from 1 to {@code maxBytes}; ask again for the rest
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  public long acquire(long maxBytes) throws InterruptedException {
    return acquire(maxBytes, parking, TokenBucket.FOREVER);
  }

  /**
   * As {@link #acquire(long)}, but waits by a strategy of the caller's.
   *
   * @return how many bytes may pass now; 0 only when {@link WaitStrategy#isCancelled}
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  public long acquire(long maxBytes, WaitStrategy strategy) throws InterruptedException {
    Objects.requireNonNull(strategy, "strategy");
    return acquire(maxBytes, strategy, TokenBucket.FOREVER);
  }

  /**
   * As {@link #acquire(long)}, but waits no longer than {@code timeout}; zero does not wait.
   *
   * @return how many bytes may pass now; 0 when none could within that time
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  public long tryAcquire(long maxBytes, Duration timeout) throws InterruptedException {
    Objects.requireNonNull(timeout, "timeout");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be at least 0 ns: " + timeout);
    }
    return acquire(maxBytes, parking, saturatedNanos(timeout));
  }

  /**
   * Takes bytes that pass in any case, whatever the pacing; does not wait. They become a debt that
   * waiting requests pay back, here and above, and none of it is forgiven. So it is for few bytes.
   *
   * @throws IllegalArgumentException if {@code bytes} is less than 1
   */
  public void debit(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be at least 1 byte: " + bytes);
    }
    long nowNanos = clock.nanoTime();
    for (BudgetNode n = node; n != null; n = n.parent) {
      n.owe(bytes, nowNanos);
      n.countGrant(bytes);
    }
  }

  /** How {@link #acquire(long)} waits. */
  public WaitStrategy parking() {
    return parking;
  }

  /**
   * Whether what merges read from storage is acquired too. A writer acquires it after the read,
   * before it reads or writes on.
   */
  public boolean countsReads() {
    return counting == Counting.READS_AND_WRITES || parent != null && parent.countsReads();
  }

  /**
   * Changes which bytes of merges count, for merges that begin from now on. A budget whose parent
   * counts reads counts them too.
   */
  public void setCounting(Counting newCounting) {
    counting = Objects.requireNonNull(newCounting, "newCounting");
  }

  /** The rate in force. */
  public Rate rate() {
    return node.bucket().rate();
  }

  /** Changes the rate; threads that may pass at the new rate continue at once. */
  public void setRate(Rate newRate) {
    setRate(newRate, Runnable::run);
  }

  /**
   * Changes the rate at once, and calls the listeners on another thread: for a caller that no
   * listener may hold up.
   *
   * @param listening runs the call of the listeners, or drops it
   */
  public void setRate(Rate newRate, Executor listening) {
    Objects.requireNonNull(newRate, "newRate");
    Objects.requireNonNull(listening, "listening");
    Rate before = tree.setRate(node, newRate);
    listening.execute(() -> listeners.tell(l -> l.rateChanged(before, newRate)));
  }

  /**
   * Changes the rate to a cap.
   *
   * @param bytesPerSecond from {@link Rate#MIN_BYTES_PER_SECOND} to {@link
   *     Rate#MAX_BYTES_PER_SECOND}
   * @throws IllegalArgumentException if it is out of range; the rate stays
   */
  public void setBytesPerSecond(long bytesPerSecond) {
    setRate(Rate.perSecond(bytesPerSecond));
  }

  /**
   * Changes the share among the competing children of one parent, from the next grant on.
   *
   * @param weight relative to the others: from 1 to {@link BudgetOptions#MAX_WEIGHT}
   */
  public void setWeight(int weight) {
    tree.setWeight(node, BudgetOptions.named(name).withWeight(weight).weight());
  }

  /** Whether requests to this budget wait. */
  public Pacing pacing() {
    return node.debited ? Pacing.DEBITED : Pacing.PACED;
  }

  /**
   * Sets whether requests to this budget and its children wait; {@link Pacing#DEBITED} releases
   * those that wait. A child's own cap still holds for the child.
   */
  public void setPacing(Pacing pacing) {
    tree.setDebited(node, Objects.requireNonNull(pacing, "pacing") == Pacing.DEBITED);
  }

  /** The grants of this budget and of all budgets below it so far. */
  public BudgetSnapshot snapshot() {
    return tree.snapshot(node);
  }

  /**
   * Adds a listener for waits at this budget and below it, and for this budget's changes of rate.
   */
  public void addListener(BudgetListener listener) {
    listeners.add(listener);
  }

  /** Removes a listener. */
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
    Request request = new Request(requests, maxBytes, strategy, clock.nanoTime());
    tree.enter(request);
    if (request.isGranted()) {
      return request.grantedBytes();
    }
    if (timeoutNanos == 0) {
      tree.await(request, timeoutNanos); // does not wait; removes the request
      return request.grantedBytes();
    }
    tellUpwards(l -> l.waitStarted(maxBytes));
    try {
      tree.await(request, timeoutNanos);
    } finally {
      long grantedBytes = request.grantedBytes();
      long waitNanos = clock.nanoTime() - request.sinceNanos;
      tellUpwards(l -> l.waitEnded(grantedBytes, waitNanos));
    }
    return request.grantedBytes();
  }

  /** A wait is news for the listeners of the budgets above too. */
  private void tellUpwards(Consumer<BudgetListener> news) {
    for (ByteBudget b = this; b != null; b = b.parent) {
      b.listeners.tell(news);
    }
  }

  private static long saturatedNanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(TokenBucket.FOREVER)) >= 0
        ? TokenBucket.FOREVER
        : duration.toNanos();
  }
}
