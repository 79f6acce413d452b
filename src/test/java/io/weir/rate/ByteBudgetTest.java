package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.SteppedClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ByteBudgetTest {

  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  @Test
  void acquire_afterTheBurst_takesExactlyBytesOverRate() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(10_000_000)), clock);
    acquireAll(budget, 500_000); // the burst
    assertEquals(0, clock.nanoTime());
    acquireAll(budget, 20_000_000);
    assertEquals(2 * SECOND, clock.nanoTime());
    assertEquals(20_500_000, budget.snapshot().grantedBytes());
    assertEquals(2 * SECOND, budget.snapshot().waitNanos());
  }

  @Test
  void acquire_waiterThatOversleeps_stillUsesTheWholeRate() throws Exception {
    AutoClock clock = new AutoClock();
    clock.oversleepNanos = 7 * MILLI;
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(10_000_000)), clock);
    acquireAll(budget, 500_000);
    acquireAll(budget, 100_000_000);
    long lateNanos = clock.nanoTime() - 10 * SECOND;
    assertTrue(0 <= lateNanos && lateNanos <= 7 * MILLI, "late by " + lateNanos + " ns");
  }

  @Test
  void acquire_anyGrant_isCutToTheMostOfAGrantAndHalfTheBurst() throws Exception {
    AutoClock clock = new AutoClock();
    assertEquals(
        ByteBudget.MAX_GRANT_BYTES,
        new ByteBudget(BudgetOptions.of(Rate.perSecond(100_000_000)), clock).acquire(1 << 30));
    assertEquals(
        2048, new ByteBudget(BudgetOptions.of(Rate.perSecond(1000)), clock).acquire(1 << 30));
    assertEquals(100, new ByteBudget(BudgetOptions.of(Rate.perSecond(1000)), clock).acquire(100));
  }

  @Test
  void acquire_unlimited_grantsAllAtOnceAndCounts() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.UNLIMITED), clock);
    assertEquals(5_000_000_000L, budget.acquire(5_000_000_000L));
    assertEquals(new BudgetSnapshot(5_000_000_000L, 1, 0, 0, 0, 0, 0), budget.snapshot());
    assertEquals(0, clock.nanoTime());
  }

  @Test
  void acquire_noBytes_isRefused() {
    ByteBudget budget = ByteBudget.perSecond(1000);
    var e = assertThrows(IllegalArgumentException.class, () -> budget.acquire(0));
    assertEquals("maxBytes must be at least 1 byte: 0", e.getMessage());
  }

  @Test
  void rate_outOfRange_isRefusedByNameValueAndUnit() {
    var zero = assertThrows(IllegalArgumentException.class, () -> Rate.perSecond(0));
    assertTrue(
        zero.getMessage().startsWith("bytesPerSecond must be from 1 to 17179869184 bytes/s"));
    assertTrue(zero.getMessage().endsWith(": 0"));
    assertThrows(IllegalArgumentException.class, () -> Rate.perSecond((16L << 30) + 1));
    var burst =
        assertThrows(
            IllegalArgumentException.class,
            () -> BudgetOptions.named("x").withBurst(Duration.ofSeconds(2)));
    assertEquals("burst must be from 1 to 1000 ms: PT2S", burst.getMessage());
    var weight =
        assertThrows(IllegalArgumentException.class, () -> BudgetOptions.named("x").withWeight(0));
    assertEquals("weight must be from 1 to 1000 shares: 0", weight.getMessage());
  }

  @Test
  void setRate_fromUnlimited_startsWithoutABurst() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.UNLIMITED), clock);
    budget.acquire(1_000_000_000);
    clock.advanceNanos(SECOND);
    budget.setBytesPerSecond(10_000_000);
    acquireAll(budget, 10_000_000);
    assertEquals(2 * SECOND, clock.nanoTime());
  }

  @Test
  void setRate_raisedWhileAWaiterSleeps_wakesItAtOnce() throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1000)), clock);
    acquireAll(budget, 4096); // the burst
    Acquirer waiter = new Acquirer(budget, 2000);
    clock.awaitParked(waiter.thread);
    assertEquals(2 * SECOND, clock.remainingNanos(waiter.thread));
    budget.setBytesPerSecond(2_000_000);
    clock.awaitParked(waiter.thread);
    assertEquals(MILLI, clock.remainingNanos(waiter.thread));
    clock.advanceNanos(MILLI);
    waiter.join();
    assertEquals(2000, waiter.granted.get());
  }

  @Test
  void setRate_paused_letsNothingPassUntilResumed() throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)), clock);
    acquireAll(budget, 50_000); // the burst
    budget.setRate(Rate.PAUSED);
    Acquirer waiter = new Acquirer(budget, 1000);
    clock.awaitParked(waiter.thread);
    clock.advanceNanos(3600 * SECOND);
    clock.awaitParked(waiter.thread);
    assertEquals(0, waiter.granted.get());
    assertEquals(1, budget.snapshot().waiting());
    assertEquals(3600 * SECOND, budget.snapshot().waitNanos());

    budget.setRate(Rate.perSecond(1_000_000));
    clock.awaitParked(waiter.thread);
    assertEquals(MILLI, clock.remainingNanos(waiter.thread)); // the pause has earned nothing
    budget.setRate(Rate.UNLIMITED);
    waiter.join();
    assertEquals(1000, waiter.granted.get());
    assertEquals(0, budget.snapshot().waiting());
  }

  @Test
  void acquire_severalWaiters_areServedInTheOrderTheyCame() throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)), clock);
    acquireAll(budget, 50_000);
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Acquirer> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int id = i;
      // The later, the smaller: none may pass one that came before it.
      waiters.add(new Acquirer(budget, 5000 - 900 * i, () -> order.add(id)));
      clock.awaitParked(waiters.get(i).thread);
    }
    for (Acquirer waiter : waiters) {
      clock.awaitParked(waiter.thread); // as the first in line: it knows how long it must wait
      clock.advanceNanos(waiter.maxBytes * 1000 - 1);
      clock.awaitParked(waiter.thread);
      clock.advanceNanos(1);
      waiter.join();
    }
    assertEquals(List.of(0, 1, 2, 3, 4), order);
  }

  @Test
  void acquire_headSleptTooLong_othersWhoseTokensCameAreServedWithIt() throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)), clock);
    acquireAll(budget, 50_000);
    Acquirer first = new Acquirer(budget, 1000);
    clock.awaitParked(first.thread);
    Acquirer second = new Acquirer(budget, 1000);
    clock.awaitParked(second.thread);
    clock.advanceNanos(2 * MILLI);
    first.join();
    second.join();
    assertEquals(2, budget.snapshot().delayedRequests());
  }

  @Test
  void acquire_interruptedHead_takesNothingAndTheNextOneIsServed() throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)), clock);
    acquireAll(budget, 50_000);
    Acquirer head = new Acquirer(budget, 20_000);
    clock.awaitParked(head.thread);
    Acquirer next = new Acquirer(budget, 1000);
    clock.awaitParked(next.thread);
    head.thread.interrupt();
    head.join();
    assertTrue(head.failure.get() instanceof InterruptedException);
    clock.awaitParked(next.thread);
    assertEquals(MILLI, clock.remainingNanos(next.thread));
    clock.advanceNanos(MILLI);
    next.join();
    assertEquals(51_000, budget.snapshot().grantedBytes());
  }

  @Test
  void acquire_interruptedBeforehandAndWouldWait_throwsAndTakesNothing() {
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.PAUSED));
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> budget.acquire(1));
    assertFalse(Thread.currentThread().isInterrupted());
    assertEquals(0, budget.snapshot().grantedBytes());
  }

  /**
   * Real threads, real time: nobody hangs, every byte is counted, and the cap is an upper bound.
   */
  @Test
  void acquire_manyThreadsAndRateChanges_losesNoWakeUpAndNoByte() throws Exception {
    ByteBudget budget = ByteBudget.perSecond(200_000_000);
    int threads = 16;
    long bytesEach = 2_000_000;
    List<Acquirer> acquirers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      acquirers.add(new Acquirer(budget, bytesEach));
    }
    Rate[] rates = {Rate.PAUSED, Rate.perSecond(1), Rate.perSecond(300_000_000), Rate.UNLIMITED};
    for (int i = 0; i < 2000; i++) {
      budget.setRate(rates[i % rates.length]);
      Thread.onSpinWait();
    }
    budget.setBytesPerSecond(400_000_000);
    for (Acquirer acquirer : acquirers) {
      acquirer.join();
    }
    assertEquals(threads * bytesEach, budget.snapshot().grantedBytes());
    assertEquals(0, budget.snapshot().waiting());
  }

  /**
   * Equal claimants that ask in pieces of different sizes get equal shares while all have demand.
   */
  @Test
  void acquire_smallAndLargeWriters_getEqualShares() throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(4_000_000)), clock);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong small = new AtomicLong();
    AtomicLong large = new AtomicLong();
    List<Thread> writers =
        List.of(
            writer(budget, ByteBudget.MAX_GRANT_BYTES, small, stop),
            writer(budget, 1 << 20, large, stop));
    while (clock.nanoTime() < 3 * SECOND) {
      clock.awaitAllParked(writers);
      clock.advanceNanos(MILLI);
    }
    clock.awaitAllParked(writers);
    double share = (double) small.get() / (small.get() + large.get());
    stop.set(true);
    budget.setRate(Rate.UNLIMITED);
    for (Thread writer : writers) {
      writer.join();
    }
    assertEquals(0.5, share, 0.02);
  }

  /** Writes pieces of {@code requestBytes}, one after the other. */
  private static Thread writer(
      ByteBudget budget, long requestBytes, AtomicLong total, AtomicBoolean stop) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                while (!stop.get()) {
                  for (long left = requestBytes; left > 0; ) {
                    long granted = budget.acquire(left);
                    total.addAndGet(granted);
                    left -= granted;
                  }
                }
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
  }

  private static void acquireAll(ByteBudget budget, long bytes) throws InterruptedException {
    for (long left = bytes; left > 0; ) {
      left -= budget.acquire(left);
    }
  }

  /** A thread that acquires so many bytes and remembers how it ended. */
  private static final class Acquirer {
    final long maxBytes;
    final AtomicLong granted = new AtomicLong();
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    final Thread thread;

    Acquirer(ByteBudget budget, long bytes) {
      this(budget, bytes, () -> {});
    }

    Acquirer(ByteBudget budget, long bytes, Runnable whenDone) {
      maxBytes = bytes;
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      acquireAll(budget, bytes);
                      granted.set(bytes);
                      whenDone.run();
                    } catch (Throwable t) {
                      failure.set(t);
                    }
                  });
    }

    void join() throws InterruptedException {
      thread.join();
    }
  }
}
