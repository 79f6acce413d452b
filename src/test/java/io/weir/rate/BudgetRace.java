package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One short race of a few threads for a small tree of budgets, on a clock that stands still until
 * all of them wait or are done. Whatever they do they do at one moment; so what the budgets must
 * hold, who may wait, and for how long, can be told exactly each time all is quiet:
 *
 * <ol>
 *   <li>no byte passed that was not earned, and every byte returned is counted;
 *   <li>who waits is in the queue, and nobody waits whose tokens are there;
 *   <li>someone wakes at the very nanosecond at which the next one can be served: no wake-up is
 *       lost;
 *   <li>in the end nobody is in the queue and every token earned but not granted can be had.
 * </ol>
 */
final class BudgetRace {

  /** What one thread does. */
  interface Actor {
    void run() throws InterruptedException;
  }

  private static final Duration BURST = Duration.ofMillis(50);

  /** What the root begins with: 1 byte in 1000 ns. */
  static final Rate ROOT_RATE = Rate.perSecond(1_000_000);

  /** What the capped child begins with; alone it would get more than the root gives. */
  static final Rate CHILD_RATE = Rate.perSecond(1_500_000);

  private final Random random; // guarded by this
  final ByteBudget root;
  final ByteBudget cappedChild;
  final ByteBudget freeChild;

  /** What every claim asks for: fits one grant and, with what is held before, the least burst. */
  final int requestBytes;

  final SteppedClock clock = new SteppedClock();
  final List<Thread> threads = new ArrayList<>();

  /**
   * Set by a race in which tokens are dropped, as after unlimited: then levels are not compared.
   */
  boolean inexact;

  /** Set by a race in which bytes may pass ahead of their time. */
  boolean debited;

  private final BudgetLedger rootLedger;
  private final BudgetLedger childLedger;
  private final AtomicLong returnedBytes = new AtomicLong();
  private final AtomicInteger ready = new AtomicInteger();
  private final AtomicInteger sleeping = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  BudgetRace(Random random) {
    this.random = random;
    this.requestBytes = 1 + random.nextInt(20_000);
    this.root = new ByteBudget(unlimited("root"), clock);
    this.cappedChild = root.child(unlimited("capped"));
    this.freeChild = root.child(unlimited("free"));
    root.setRate(ROOT_RATE); // after unlimited a budget holds nothing
    cappedChild.setRate(CHILD_RATE);
    rootLedger = new BudgetLedger(root, BURST.toNanos());
    childLedger = new BudgetLedger(cappedChild, BURST.toNanos());
    // Nothing, or enough for one or two: less than the least burst, so that none of it is dropped.
    pass(random.nextInt(3) * random.nextInt(requestBytes) * 1000L);
  }

  private static BudgetOptions unlimited(String name) {
    return BudgetOptions.named(name).withBurst(BURST);
  }

  /** Adds a thread; all begin at once. */
  Thread add(Actor actor) {
    int spins = random(300);
    Thread thread = Thread.ofPlatform().daemon().unstarted(() -> act(actor, spins));
    threads.add(thread);
    return thread;
  }

  /** Asks {@code budget} a few times, and keeps the account. */
  void acquire(ByteBudget budget, int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      took(budget.acquire(requestBytes), false);
    }
  }

  void acquire(ByteBudget budget, int times, WaitStrategy strategy) throws InterruptedException {
    for (int i = 0; i < times && !strategy.isCancelled(); i++) {
      took(budget.acquire(requestBytes, strategy), true);
    }
  }

  void tryAcquire(ByteBudget budget, int times, long timeoutNanos) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      took(budget.tryAcquire(requestBytes, Duration.ofNanos(timeoutNanos)), true);
    }
  }

  /** Stays away for a while, some of which the others wait. */
  void sleepALittle() {
    int choice = random(3);
    if (choice > 0) {
      sleeping.incrementAndGet();
      clock.parkNanos(this, random(choice * requestBytes) * 1000L);
      sleeping.decrementAndGet();
    }
  }

  /** From 0 to less than {@code bound}, for any of the threads. */
  synchronized int random(int bound) {
    return random.nextInt(bound);
  }

  /** Runs the race to its end. */
  void run() throws InterruptedException {
    for (Thread thread : threads) {
      thread.start();
    }
    for (int parked; (parked = clock.awaitQuiet(threads)) > 0; ) {
      settle();
      assertEquals(parked - sleeping.get(), root.snapshot().waiting(), "queue depth");
      long nanos = clock.nanosToNextWakeUp();
      assertNobodyWaitsInVain(nanos);
      if (nanos == Long.MAX_VALUE) {
        resume();
      } else {
        pass(nanos);
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    settle();
    root.setPacing(ByteBudget.Pacing.PACED);
    cappedChild.setPacing(ByteBudget.Pacing.PACED);
    assertNothingIsLost();
  }

  private void act(Actor actor, int spins) {
    try {
      ready.incrementAndGet();
      while (ready.get() < threads.size()) {
        Thread.yield();
      }
      for (int i = 0; i < spins; i++) {
        Thread.onSpinWait();
      }
      actor.run();
    } catch (InterruptedException e) {
      // By another actor: what was taken before is on the account, and nothing since.
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
    } finally {
      clock.leave();
    }
  }

  private void took(long bytes, boolean mayBeNone) {
    assertTrue(bytes == requestBytes || bytes == 0 && mayBeNone, "granted " + bytes + " bytes");
    returnedBytes.addAndGet(bytes);
  }

  private void pass(long nanos) {
    rootLedger.earn(nanos);
    childLedger.earn(nanos);
    clock.advanceNanos(nanos);
  }

  private void settle() {
    if (failure.get() != null) {
      throw new AssertionError("an actor failed", failure.get());
    }
    assertEquals(returnedBytes.get(), root.snapshot().grantedBytes(), "bytes returned and counted");
    boolean noDebt = rootLedger.settle() >= 0 & childLedger.settle() >= 0;
    assertTrue(inexact || debited || noDebt, () -> "more passed than was earned: " + this);
  }

  private void assertNobodyWaitsInVain(long nextWakeUpNanos) {
    if (inexact) {
      return;
    }
    long needNanos = Long.MAX_VALUE; // how long until the next one can be served
    if (hasWaiters(cappedChild)) {
      needNanos = Math.max(nanosUntilServed(rootLedger), nanosUntilServed(childLedger));
    }
    if (root.snapshot().waiting() > cappedChild.snapshot().waiting()) {
      needNanos = Math.min(needNanos, nanosUntilServed(rootLedger));
    }
    assertTrue(needNanos > 0, () -> "waits though its tokens are there: " + this);
    long need = needNanos;
    assertTrue(
        nextWakeUpNanos <= need,
        () -> "nobody wakes in " + need + " ns but in " + nextWakeUpNanos + ": " + this);
  }

  private static boolean hasWaiters(ByteBudget budget) {
    return budget.snapshot().waiting() > 0;
  }

  private long nanosUntilServed(BudgetLedger ledger) {
    return ledger.budget.rate().state() == Rate.State.UNLIMITED
            || ledger.budget.pacing() == ByteBudget.Pacing.DEBITED
        ? 0
        : ledger.nanosUntil(requestBytes);
  }

  /** Nobody waits for a time: fine while something is paused, and then that is ended here. */
  private void resume() {
    assertTrue(isPaused(rootLedger) || isPaused(childLedger), () -> "sleeps for ever: " + this);
    resumeIfPaused(rootLedger, ROOT_RATE);
    resumeIfPaused(childLedger, CHILD_RATE);
  }

  private static boolean isPaused(BudgetLedger ledger) {
    return ledger.budget.rate().state() == Rate.State.PAUSED;
  }

  private static void resumeIfPaused(BudgetLedger ledger, Rate rate) {
    if (isPaused(ledger)) {
      ledger.budget.setRate(rate);
    }
  }

  private void assertNothingIsLost() throws InterruptedException {
    assertEquals(0, root.snapshot().waiting(), "queue depth");
    assertEquals(0, cappedChild.snapshot().waiting(), "queue depth of the child");
    if (!inexact) {
      resumeIfPaused(rootLedger, ROOT_RATE);
      assertHoldsWhatItMust(rootLedger);
      root.setRate(Rate.UNLIMITED); // so that the child can be drained alone
      resumeIfPaused(childLedger, CHILD_RATE);
      assertHoldsWhatItMust(childLedger);
    }
  }

  private void assertHoldsWhatItMust(BudgetLedger ledger) throws InterruptedException {
    assertEquals(ledger.debtBytes(), ledger.budget.snapshot().debtBytes(), this::toString);
    assertEquals(ledger.wholeBytes(), BudgetLedger.drain(ledger.budget), this::toString);
  }

  @Override
  public String toString() {
    return requestBytes
        + " bytes each; root "
        + root.rate()
        + ", "
        + root.pacing()
        + ", holds "
        + rootLedger.wholeBytes()
        + ", owes "
        + rootLedger.debtBytes()
        + ", "
        + root.snapshot()
        + "; child "
        + cappedChild.rate()
        + ", "
        + cappedChild.pacing()
        + ", holds "
        + childLedger.wholeBytes()
        + ", "
        + cappedChild.snapshot();
  }
}
