package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.SteppedClock;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Children, debits, bounded and cancellable waits, listeners, and the grant without a lock. */
@Timeout(60)
class BudgetTreeTest {

  private static final long MILLI = 1_000_000;
  private static final long BURST_BYTES = 50_000; // at 1 MB/s

  private final SteppedClock clock = new SteppedClock();
  private final Map<FutureTask<?>, Thread> threads = new HashMap<>();

  @Test
  void acquire_fromAChild_isCountedAndPacedAtEveryLevel() throws Exception {
    AutoClock auto = new AutoClock();
    ByteBudget disk = new ByteBudget(limited("disk", 1_000_000), auto);
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    ByteBudget merge = index.child(limited("merge", 500_000));
    acquireAll(merge, 25_000); // the merge's burst
    acquireAll(merge, 50_000);
    assertEquals(100 * MILLI, auto.nanoTime());
    for (ByteBudget level : List.of(disk, index, merge)) {
      assertEquals(75_000, level.snapshot().grantedBytes(), level.name());
      assertEquals(100 * MILLI, level.snapshot().waitNanos(), level.name());
      assertEquals(0, level.snapshot().waiting(), level.name());
    }
    assertEquals(index, merge.parent().orElseThrow());
    assertTrue(disk.parent().isEmpty());
  }

  @Test
  void acquire_underADebitedChild_passesAtOnceAndIsOwedByTheOthers() throws Exception {
    ByteBudget disk = drained("disk");
    ByteBudget critical = disk.child(BudgetOptions.named("critical"));
    critical.setPacing(Pacing.DEBITED);
    ByteBudget natural = disk.child(BudgetOptions.named("natural"));
    assertEquals(200_000, critical.acquire(200_000));
    assertEquals(0, critical.snapshot().delayedRequests());
    assertEquals(200_000, disk.snapshot().debtBytes());
    FutureTask<Long> waiter = start(() -> natural.acquire(1000));
    clock.awaitParked(thread(waiter));
    assertEquals(201 * MILLI, clock.remainingNanos(thread(waiter)));
    clock.advanceNanos(201 * MILLI);
    assertEquals(1000, waiter.get());
    assertEquals(BURST_BYTES + 201_000, disk.snapshot().grantedBytes());
    assertEquals(0, disk.snapshot().debtBytes());
  }

  @Test
  void acquire_debitedWhileThePausedParentLetsNothingPass_passes() throws Exception {
    ByteBudget disk = new ByteBudget(BudgetOptions.named("disk").withRate(Rate.PAUSED), clock);
    ByteBudget critical = disk.child(BudgetOptions.named("critical"));
    critical.setPacing(Pacing.DEBITED);
    assertEquals(1 << 20, critical.acquire(1 << 20));
  }

  @Test
  void acquire_debitsBeyondTheLimitOfDebt_areForgivenAndCounted() throws Exception {
    ByteBudget disk = drained("disk");
    ByteBudget critical = disk.child(BudgetOptions.named("critical"));
    critical.setPacing(Pacing.DEBITED);
    critical.acquire(10_000_000);
    critical.acquire(123);
    assertEquals(10_000_000, disk.snapshot().debtBytes());
    assertEquals(123, disk.snapshot().forgivenBytes());
  }

  @Test
  void setRate_loweredOrLiftedUnderADebt_countsWhatIsNeverPaidBack() throws Exception {
    ByteBudget disk = drained("disk");
    ByteBudget critical = disk.child(BudgetOptions.named("critical"));
    critical.setPacing(Pacing.DEBITED);
    critical.acquire(10_000_000);
    disk.setBytesPerSecond(400_000);
    assertEquals(4_000_000, disk.snapshot().debtBytes());
    assertEquals(6_000_000, disk.snapshot().forgivenBytes());
    disk.setRate(Rate.UNLIMITED);
    assertEquals(0, disk.snapshot().debtBytes());
    assertEquals(10_000_000, disk.snapshot().forgivenBytes());
  }

  /** The ends of files are few, and the cap is to hold over time at the lowest rates too. */
  @Test
  void debit_beyondTheLimitOfDebts_isPaidInFull_andWhatIsUrgentDoesNotShortenIt() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget disk = new ByteBudget(BudgetOptions.of(Rate.perSecond(1000)), clock);
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    disk.acquire(2048);
    disk.acquire(2048); // the burst
    index.debit(30_000);
    assertEquals(30_000, disk.snapshot().debtBytes());
    ByteBudget urgent = disk.child(BudgetOptions.named("urgent"));
    urgent.setPacing(Pacing.DEBITED);
    assertEquals(500, urgent.acquire(500));
    assertEquals(30_000, disk.snapshot().debtBytes());
    assertEquals(500, disk.snapshot().forgivenBytes());

    disk.acquire(1);
    assertEquals(30_001_000_000L, clock.nanoTime());
    assertEquals(30_000, index.snapshot().grantedBytes());
    assertEquals(2 * 2048 + 30_000 + 500 + 1, disk.snapshot().grantedBytes());
  }

  @Test
  void setPacing_debitedWhileThreadsWait_letsThemGo() throws Exception {
    ByteBudget disk = drained("disk");
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    ByteBudget merge = index.child(BudgetOptions.named("merge"));
    ByteBudget other = disk.child(BudgetOptions.named("other"));
    FutureTask<Long> first = start(() -> merge.acquire(20_000));
    clock.awaitParked(thread(first));
    FutureTask<Long> second = start(() -> merge.acquire(20_000));
    clock.awaitParked(thread(second));
    FutureTask<Long> third = start(() -> other.acquire(1000));
    clock.awaitParked(thread(third));
    index.setPacing(Pacing.DEBITED);
    assertEquals(20_000, first.get());
    assertEquals(20_000, second.get());
    assertEquals(40_000, disk.snapshot().debtBytes());
    index.setPacing(Pacing.PACED);
    assertSame(Pacing.PACED, index.pacing());
    clock.awaitParked(thread(third)); // as the first in line
    clock.advanceNanos(20 * MILLI); // when it would have been the turn of the first one
    clock.awaitParked(thread(third));
    assertEquals(21 * MILLI, clock.remainingNanos(thread(third)));
    clock.advanceNanos(21 * MILLI);
    assertEquals(1000, third.get());
  }

  @Test
  void tryAcquire_tokensComeTooLate_givesUpAtTheExactTime() throws Exception {
    ByteBudget disk = drained("disk");
    FutureTask<Long> waiter = start(() -> disk.tryAcquire(20_000, Duration.ofMillis(5)));
    clock.awaitParked(thread(waiter));
    assertEquals(5 * MILLI, clock.remainingNanos(thread(waiter)));
    clock.advanceNanos(5 * MILLI - 1);
    clock.awaitParked(thread(waiter));
    clock.advanceNanos(1);
    assertEquals(0, waiter.get());
    assertEquals(BURST_BYTES, disk.snapshot().grantedBytes());
    assertEquals(0, disk.snapshot().delayedRequests());
    assertEquals(5 * MILLI, disk.snapshot().waitNanos());
    assertEquals(0, disk.tryAcquire(20_000, Duration.ZERO));
    assertEquals(5_000, disk.tryAcquire(5_000, Duration.ZERO)); // what dripped in meanwhile
  }

  @Test
  void tryAcquire_othersWaitInFront_doesNotPassThem() throws Exception {
    ByteBudget disk = drained("disk");
    FutureTask<Long> waiter = start(() -> disk.acquire(20_000));
    clock.awaitParked(thread(waiter));
    clock.advanceNanos(10 * MILLI);
    clock.awaitParked(thread(waiter));
    assertEquals(0, disk.tryAcquire(1, Duration.ZERO));
    clock.advanceNanos(10 * MILLI);
    assertEquals(20_000, waiter.get());
  }

  @Test
  void rateOrPacing_null_isRefusedBeforeItDoesHarm() throws Exception {
    ByteBudget disk = new ByteBudget(limited("disk", 1_000_000), clock);
    disk.setPacing(Pacing.DEBITED);
    assertThrows(NullPointerException.class, () -> disk.setPacing(null));
    assertSame(Pacing.DEBITED, disk.pacing());
    assertThrows(NullPointerException.class, () -> new Rate(null, 0));
  }

  @Test
  void tryAcquire_timeoutOutOfRange_isRefusedOrSaturated() throws Exception {
    ByteBudget disk = drained("disk");
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> disk.tryAcquire(1, Duration.ofNanos(-1)));
    assertEquals("timeout must be at least 0 ns: PT-0.000000001S", e.getMessage());
    clock.advanceNanos(MILLI);
    assertEquals(1, disk.tryAcquire(1, Duration.ofSeconds(Long.MAX_VALUE)));
  }

  @Test
  void acquire_cancelledWhileItWaits_returnsNothingAndTheNextOneIsServed() throws Exception {
    ByteBudget disk = drained("disk");
    CancellableParking cancellable = new CancellableParking(clock);
    FutureTask<Long> head = start(() -> disk.acquire(20_000, cancellable));
    clock.awaitParked(thread(head));
    FutureTask<Long> next = start(() -> disk.acquire(1000));
    clock.awaitParked(thread(next));
    cancellable.cancelled.set(true);
    clock.unpark(thread(head));
    assertEquals(0, head.get());
    clock.awaitParked(thread(next));
    assertEquals(MILLI, clock.remainingNanos(thread(next)));
    clock.advanceNanos(MILLI);
    assertEquals(1000, next.get());
    assertEquals(0, disk.acquire(1, cancellable), "cancelled work is granted nothing at all");
    assertEquals(BURST_BYTES + 1000, disk.snapshot().grantedBytes());
  }

  @Test
  void acquire_strategyThatThrows_givesUpItsPlace() throws Exception {
    ByteBudget disk = drained("disk");
    WaitStrategy failing =
        new CancellableParking(clock) {
          @Override
          public void await(long waitNanos, BooleanSupplier stillWaiting) {
            throw new IllegalStateException("no place to wait");
          }
        };
    assertThrows(IllegalStateException.class, () -> disk.acquire(1000, failing));
    assertEquals(0, disk.snapshot().waiting());
    clock.advanceNanos(MILLI);
    assertEquals(1000, disk.acquire(1000));
  }

  @Test
  void listener_oneThatWaits_hearsOfEachWaitHereAndBelow() throws Exception {
    ByteBudget disk = drained("disk");
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    List<String> news = Collections.synchronizedList(new ArrayList<>());
    BudgetListener listener =
        new BudgetListener() {
          @Override
          public void waitStarted(long requestedBytes) {
            news.add("asks " + requestedBytes);
          }

          @Override
          public void waitEnded(long grantedBytes, long waitNanos) {
            news.add("got " + grantedBytes + " after " + waitNanos);
          }

          @Override
          public void rateChanged(Rate before, Rate after) {
            news.add(before + " to " + after);
          }
        };
    disk.addListener(listener);
    FutureTask<Long> waiter = start(() -> index.acquire(20_000));
    clock.awaitParked(thread(waiter));
    clock.advanceNanos(20 * MILLI);
    waiter.get();
    index.setRate(Rate.PAUSED);
    disk.setRate(Rate.UNLIMITED);
    disk.acquire(5); // waits not, is not told
    disk.removeListener(listener);
    disk.setRate(Rate.PAUSED);
    assertEquals(
        List.of("asks 20000", "got 20000 after 20000000", "1000000 bytes/s to unlimited"), news);
  }

  @Test
  void listener_thatThrows_hurtsNoGrant() throws Exception {
    ByteBudget disk = drained("disk");
    disk.addListener(
        new BudgetListener() {
          @Override
          public void waitStarted(long requestedBytes) {
            throw new IllegalStateException("started");
          }

          @Override
          public void waitEnded(long grantedBytes, long waitNanos) {
            throw new AssertionError("ended");
          }

          @Override
          public void rateChanged(Rate before, Rate after) {
            throw new IllegalStateException("rate");
          }
        });
    FutureTask<Long> waiter = start(() -> disk.acquire(1000));
    clock.awaitParked(thread(waiter));
    clock.advanceNanos(MILLI);
    assertEquals(1000, waiter.get());
    disk.setRate(Rate.UNLIMITED);
    assertEquals(Rate.UNLIMITED, disk.rate());
  }

  /** The lock is held for ever by another thread; a grant with tokens at hand needs none. */
  @Test
  void acquire_uncontended_takesNoLock() throws Exception {
    StuckClock stuck = new StuckClock();
    ByteBudget disk = new ByteBudget(limited("disk", 1_000_000), stuck);
    ByteBudget index = disk.child(limited("index", 1_000_000));
    ByteBudget debited = index.child(BudgetOptions.named("debited"));
    debited.setPacing(Pacing.DEBITED);
    Thread holder = Thread.ofPlatform().unstarted(disk::snapshot);
    stuck.stop(holder);
    holder.start();
    stuck.stopped.await();
    assertEquals(1000, index.acquire(1000));
    assertEquals(1000, index.tryAcquire(1000, Duration.ZERO));
    assertEquals(1000, debited.acquire(1000));
    stuck.goOn.countDown();
    holder.join();
    assertEquals(3000, disk.snapshot().grantedBytes());
  }

  /** However long someone would have had to wait: soon after, nobody needs the lock. */
  @Test
  void acquire_soonAfterAWaitUnderALowRate_takesNoLock() throws Exception {
    StuckClock stuck = new StuckClock();
    ByteBudget disk = new ByteBudget(limited("disk", 1), stuck);
    acquireAll(disk, 4096); // the burst
    assertEquals(0, disk.tryAcquire(1000, Duration.ZERO)); // it would take a quarter of an hour
    disk.setBytesPerSecond(1_000_000);
    stuck.nowNanos = 10 * MILLI;
    Thread holder = Thread.ofPlatform().unstarted(disk::snapshot);
    stuck.stop(holder);
    holder.start();
    stuck.stopped.await();
    FutureTask<Long> grant = start(() -> disk.acquire(1000));
    assertEquals(1000, grant.get(10, TimeUnit.SECONDS));
    stuck.goOn.countDown();
    holder.join();
  }

  /** Virtual threads wait without holding their carrier. */
  @Test
  void acquire_manyVirtualThreads_areAllServed() throws Exception {
    ByteBudget disk = ByteBudget.perSecond(100_000_000);
    ByteBudget[] indexes = new ByteBudget[10];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = disk.child(BudgetOptions.named("index" + i));
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      ByteBudget index = indexes[i % indexes.length];
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      acquireAll(index, 20_000);
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(20_000_000, disk.snapshot().grantedBytes());
    assertEquals(0, disk.snapshot().waiting());
  }

  @Test
  void interrupt_thatComesWithTheGrant_keepsBoth() throws Exception {
    ByteBudget disk = drained("disk");
    AtomicBoolean interruptedAfterwards = new AtomicBoolean();
    CancellableParking interruptsItself =
        new CancellableParking(clock) {
          @Override
          public void await(long waitNanos, BooleanSupplier stillWaiting)
              throws InterruptedException {
            disk.setRate(Rate.UNLIMITED); // grants
            throw new InterruptedException();
          }
        };
    FutureTask<Long> waiter =
        start(
            () -> {
              long granted = disk.acquire(1000, interruptsItself);
              interruptedAfterwards.set(Thread.interrupted());
              return granted;
            });
    assertEquals(1000, waiter.get());
    assertTrue(interruptedAfterwards.get());
    assertFalse(Thread.currentThread().isInterrupted());
  }

  private ByteBudget drained(String name) throws InterruptedException {
    ByteBudget budget = new ByteBudget(limited(name, 1_000_000), clock);
    acquireAll(budget, BURST_BYTES);
    return budget;
  }

  private static BudgetOptions limited(String name, long bytesPerSecond) {
    return BudgetOptions.named(name).withRate(Rate.perSecond(bytesPerSecond));
  }

  private static void acquireAll(ByteBudget budget, long bytes) throws InterruptedException {
    for (long left = bytes; left > 0; ) {
      left -= budget.acquire(left);
    }
  }

  private <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    threads.put(task, Thread.ofPlatform().start(task));
    return task;
  }

  private Thread thread(FutureTask<?> task) {
    return threads.get(task);
  }

  /** A clock on which one thread gets stuck reading the time. */
  private static final class StuckClock implements NanoClock {

    final CountDownLatch stopped = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    volatile long nowNanos;
    private volatile Thread victim;

    void stop(Thread thread) {
      victim = thread;
    }

    @Override
    public long nanoTime() {
      if (Thread.currentThread() == victim) {
        stopped.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return nowNanos;
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      throw new AssertionError("nobody waits here");
    }

    @Override
    public void park(Object blocker) {
      throw new AssertionError("nobody waits here");
    }

    @Override
    public void unpark(Thread thread) {}
  }
}
