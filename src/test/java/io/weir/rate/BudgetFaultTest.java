package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strategies, listeners and logs that fail at the worst moment, and interrupts that come early. */
@Timeout(10)
class BudgetFaultTest {

  private static final long MILLI = 1_000_000;
  private static final long BURST_BYTES = 50_000; // at 1 MB/s

  private final SteppedClock clock = new SteppedClock();
  private final Map<FutureTask<?>, Thread> threads = new HashMap<>();

  @Test
  void acquire_interruptedBeforehandButTokensAreThere_grantsAndKeepsTheInterrupt()
      throws Exception {
    ByteBudget disk = new ByteBudget(limited("disk"), clock);
    ByteBudget paused = disk.child(BudgetOptions.named("paused").withRate(Rate.PAUSED));
    ByteBudget other = disk.child(BudgetOptions.named("other"));
    FutureTask<Long> waiter = start(() -> paused.acquire(1));
    clock.awaitParked(threads.get(waiter));
    Thread.currentThread().interrupt();
    long granted = other.acquire(1000);
    assertTrue(Thread.interrupted());
    assertEquals(1000, granted);
    paused.setRate(Rate.UNLIMITED);
    assertEquals(1, waiter.get());
  }

  @Test
  void setRate_strategyThatCannotWake_othersAreStillWoken() throws Exception {
    ByteBudget disk = drained();
    WaitStrategy failing =
        new CancellableParking(clock) {
          @Override
          public void wakeUp(Thread thread) {
            throw new IllegalStateException("cannot wake");
          }
        };
    FutureTask<Long> first = start(() -> disk.acquire(1000, failing));
    clock.awaitParked(threads.get(first));
    FutureTask<Long> second = start(() -> disk.acquire(1000));
    clock.awaitParked(threads.get(second));
    disk.setRate(Rate.UNLIMITED);
    assertEquals(1000, second.get());
    clock.unpark(threads.get(first));
    assertEquals(1000, first.get());
  }

  @Test
  void acquire_strategyThatFailsAsTheGrantComes_givesItBackToTheNext() throws Exception {
    ByteBudget disk = drained();
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    List<FutureTask<Long>> next = new ArrayList<>();
    WaitStrategy failing =
        new CancellableParking(clock) {
          @Override
          public void await(long waitNanos, BooleanSupplier stillWaiting)
              throws InterruptedException {
            next.add(start(() -> disk.acquire(1000)));
            clock.awaitParked(threads.get(next.get(0)));
            clock.advanceNanos(MILLI);
            disk.setBytesPerSecond(1_000_000); // grants
            throw new IllegalStateException("no place to wait");
          }
        };
    assertThrows(IllegalStateException.class, () -> index.acquire(1000, failing));
    assertEquals(1000, next.get(0).get());
    assertEquals(new BudgetSnapshot(0, 0, 0, MILLI, 0, 0, 0), index.snapshot());
    assertEquals(BURST_BYTES + 1000, disk.snapshot().grantedBytes());
    assertEquals(1, disk.snapshot().delayedRequests());
  }

  @Test
  void listener_thatThrowsAndSoDoesTheLog_hurtsNoGrant() throws Exception {
    ByteBudget disk = drained();
    disk.addListener(
        new BudgetListener() {
          @Override
          public void waitStarted(long requestedBytes) {
            throw new IllegalStateException("started");
          }
        });
    Handler failing =
        new Handler() {
          @Override
          public void publish(LogRecord published) {
            throw new IllegalStateException("disk full");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(ByteBudget.class.getPackageName());
    logger.setUseParentHandlers(false);
    logger.addHandler(failing);
    try {
      FutureTask<Long> waiter = start(() -> disk.acquire(1000));
      clock.awaitParked(threads.get(waiter));
      clock.advanceNanos(MILLI);
      assertEquals(1000, waiter.get());
    } finally {
      logger.removeHandler(failing);
      logger.setUseParentHandlers(true);
    }
  }

  /**
   * The one whose tokens come next is held up by its listener, so another one watches the clock.
   */
  @Test
  void listener_thatBlocks_holdsUpNobodyElse() throws Exception {
    ByteBudget disk = drained();
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    index.addListener(
        new BudgetListener() {
          @Override
          public void waitStarted(long requestedBytes) {
            blocked.countDown();
            assertDoesNotThrow(() -> goOn.await());
          }
        });
    FutureTask<Long> first = start(() -> index.acquire(20_000));
    blocked.await();
    FutureTask<Long> second = start(() -> disk.acquire(1000));
    clock.awaitParked(threads.get(second));
    assertEquals(20 * MILLI, clock.remainingNanos(threads.get(second)));
    clock.advanceNanos(21 * MILLI);
    assertEquals(1000, second.get());
    assertEquals(0, disk.snapshot().waiting());
    goOn.countDown();
    assertEquals(20_000, first.get());
  }

  @Test
  void listener_thatWaitsUnderTheSameCap_isServedAfterTheOneItWasToldOf() throws Exception {
    ByteBudget disk = drained();
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    index.addListener(
        new BudgetListener() {
          @Override
          public void waitStarted(long requestedBytes) {
            assertEquals(1000, assertDoesNotThrow(() -> disk.acquire(1000)));
          }
        });
    FutureTask<Long> waiter = start(() -> index.acquire(20_000));
    clock.awaitParked(threads.get(waiter));
    assertEquals(20 * MILLI, clock.remainingNanos(threads.get(waiter)));
    clock.advanceNanos(21 * MILLI);
    assertEquals(20_000, waiter.get());
    assertEquals(BURST_BYTES + 21_000, disk.snapshot().grantedBytes());
  }

  @Test
  void tryAcquire_withoutTime_tellsOfNoWait() throws Exception {
    ByteBudget disk = drained();
    List<Long> told = new ArrayList<>();
    disk.addListener(
        new BudgetListener() {
          @Override
          public void waitStarted(long requestedBytes) {
            told.add(requestedBytes);
          }
        });
    assertEquals(0, disk.tryAcquire(1000, Duration.ZERO));
    assertEquals(List.of(), told);
    assertEquals(0, disk.snapshot().waiting());
  }

  private ByteBudget drained() throws InterruptedException {
    ByteBudget disk = new ByteBudget(limited("disk"), clock);
    for (long left = BURST_BYTES; left > 0; ) {
      left -= disk.acquire(left);
    }
    return disk;
  }

  private static BudgetOptions limited(String name) {
    return BudgetOptions.named(name).withRate(Rate.perSecond(1_000_000));
  }

  private <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    threads.put(task, Thread.ofPlatform().start(task));
    return task;
  }
}
