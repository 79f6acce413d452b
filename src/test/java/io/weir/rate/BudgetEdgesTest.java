package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.CapturedLog;
import io.weir.fakes.SteppedClock;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.RequestQueue.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a budget does at the edge of each rule: changes of the code that no other test noticed. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BudgetEdgesTest {

  private static final long MILLI = 1_000_000;
  private static final Rate RATE = Rate.perSecond(1_000_000); // 1 byte in 1000 ns
  private static final long BURST_BYTES = 50_000;

  /** It does not begin at zero, so that a time is not taken for a duration. */
  private final AutoClock clock = new AutoClock();

  {
    clock.advanceNanos(Duration.ofHours(1).toNanos());
  }

  private ByteBudget limited(String name) {
    return new ByteBudget(BudgetOptions.named(name).withRate(RATE), clock);
  }

  /** A child that had tokens when its parent had none keeps them. */
  @Test
  void tryAcquire_parentHasNoTokens_takesNoneOfTheChild() throws Exception {
    ByteBudget disk = limited("disk");
    ByteBudget index = disk.child(BudgetOptions.named("index").withRate(RATE));
    assertEquals(BURST_BYTES, BudgetLedger.drain(disk));
    assertEquals(0, index.tryAcquire(1000, Duration.ZERO));
    disk.setRate(Rate.UNLIMITED);
    assertEquals(BURST_BYTES, BudgetLedger.drain(index));
  }

  @Test
  void tryAcquire_thatGetsNothing_isNoGrant() throws Exception {
    ByteBudget disk = limited("disk");
    BudgetLedger.drain(disk);
    long grants = disk.snapshot().requests();
    assertEquals(0, disk.tryAcquire(1000, Duration.ZERO));
    assertEquals(grants, disk.snapshot().requests());
  }

  @Test
  void tryAcquire_tokensComeTooLate_waitsAsLongAsAsked() throws Exception {
    ByteBudget disk = limited("disk");
    BudgetLedger.drain(disk);
    AtomicLong waitedNanos = new AtomicLong();
    disk.addListener(
        new BudgetListener() {
          @Override
          public void waitEnded(long grantedBytes, long waitNanos) {
            waitedNanos.set(waitNanos);
          }
        });
    assertEquals(0, disk.tryAcquire(20_000, Duration.ofMillis(5)));
    assertEquals(5 * MILLI, waitedNanos.get());
    assertEquals(5 * MILLI, disk.snapshot().waitNanos());
  }

  /** It is still waiting when it is asked. */
  @Test
  void snapshot_whileAThreadWaits_countsItsWaitSoFar() throws Exception {
    SteppedClock stepped = new SteppedClock();
    stepped.advanceNanos(7 * MILLI);
    ByteBudget disk = new ByteBudget(BudgetOptions.named("disk").withRate(Rate.PAUSED), stepped);
    FutureTask<Long> waiter = new FutureTask<>(() -> disk.acquire(1000));
    Thread thread = Thread.ofPlatform().daemon().start(waiter);
    stepped.awaitParked(thread);
    stepped.advanceNanos(3 * MILLI);
    assertEquals(3 * MILLI, disk.snapshot().waitNanos());
    disk.setRate(Rate.UNLIMITED);
    assertEquals(1000, waiter.get(10, TimeUnit.SECONDS));
    assertEquals(3 * MILLI, disk.snapshot().waitNanos());
  }

  /** For 2 ms after a grant that waited, all go through the queue, which counts their turns. */
  @Test
  void takeAtOnce_soonAfterAGrantThatWaited_leavesItToTheQueue() {
    BudgetNode disk =
        new BudgetNode(null, BudgetOptions.named("disk").withRate(RATE), clock.nanoTime());
    BudgetNode index = new BudgetNode(disk, BudgetOptions.named("index"), clock.nanoTime());
    serve(index, true);
    assertEquals(0, index.takeAtOnce(1, clock));
    assertEquals(0, disk.takeAtOnce(1, clock));
    clock.advanceNanos(2 * MILLI - 1);
    assertEquals(0, disk.takeAtOnce(1, clock));
    serve(index, false); // prolongs nothing
    clock.advanceNanos(1);
    assertEquals(1, index.takeAtOnce(1, clock));
  }

  private void serve(BudgetNode node, boolean delayed) {
    Request request =
        new Request(new RequestQueue(node), 1000, new CancellableParking(clock), clock.nanoTime());
    request.delayed = delayed;
    FairQueue queue = new FairQueue();
    queue.add(request);
    queue.serve(clock.nanoTime(), granted -> {});
    assertEquals(1000, request.grantedBytes());
  }

  /**
   * Half of the largest debt is paid back in half of its time, so a debit then forgives nothing.
   */
  @Test
  void acquire_debitedWhenADebtIsHalfPaid_forgivesNothing() throws Exception {
    ByteBudget disk = limited("disk");
    ByteBudget urgent = disk.child(BudgetOptions.named("urgent"));
    urgent.setPacing(Pacing.DEBITED);
    acquireAll(urgent, BURST_BYTES + 10_000_000);
    assertEquals(0, disk.snapshot().forgivenBytes());
    clock.advanceNanos(Duration.ofSeconds(5).toNanos());
    acquireAll(urgent, 5_000_000);
    assertEquals(0, disk.snapshot().forgivenBytes());
    assertEquals(10_000_000, disk.snapshot().debtBytes());
  }

  @Test
  void debit_ofOneByte_isOwed() throws Exception {
    ByteBudget disk = limited("disk");
    BudgetLedger.drain(disk);
    disk.debit(1);
    assertEquals(1, disk.snapshot().debtBytes());
    assertThrows(IllegalArgumentException.class, () -> disk.debit(0));
  }

  /** The strategy has no memory of its own: it looks, as a merge's does. */
  @Test
  void await_ofAStrategyThatOnlyLooks_endsWithEachNews() throws Exception {
    ByteBudget disk = new ByteBudget(BudgetOptions.named("disk").withRate(Rate.PAUSED), clock);
    WaitStrategy looking =
        new CancellableParking(clock) {
          @Override
          public void await(long waitNanos, BooleanSupplier stillWaiting) {
            while (waitNanos == Long.MAX_VALUE && stillWaiting.getAsBoolean()) {
              Thread.onSpinWait();
            }
            if (waitNanos < Long.MAX_VALUE) {
              clock.advanceNanos(waitNanos);
            }
          }
        };
    FutureTask<Long> waiter = new FutureTask<>(() -> disk.acquire(1000, looking));
    Thread.ofPlatform().daemon().start(waiter);
    while (disk.snapshot().waiting() == 0) {
      Thread.onSpinWait();
    }
    disk.setRate(RATE); // no token yet, but a time to wait for
    assertEquals(1000, waiter.get(10, TimeUnit.SECONDS));
  }

  /** Its bytes did not pass, whatever the queue had granted. */
  @Test
  void await_thatFailsAsADebitComes_leavesTheDebtAndTellsOfNoBytes() throws Exception {
    ByteBudget disk = limited("disk");
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    BudgetLedger.drain(disk);
    List<Long> told = new ArrayList<>();
    disk.addListener(
        new BudgetListener() {
          @Override
          public void waitEnded(long grantedBytes, long waitNanos) {
            told.add(grantedBytes);
          }
        });
    WaitStrategy failing =
        new CancellableParking(clock) {
          @Override
          public void await(long waitNanos, BooleanSupplier stillWaiting) {
            index.setPacing(Pacing.DEBITED); // grants
            throw new IllegalStateException("no place to wait");
          }
        };
    assertThrows(IllegalStateException.class, () -> index.acquire(1000, failing));
    assertEquals(List.of(0L), told);
    assertEquals(1000, disk.snapshot().debtBytes());
  }

  /** Of children with equal tags, the one that came first. */
  @Test
  void serve_equalTags_inTheOrderOfArrival() throws Exception {
    SteppedClock stepped = new SteppedClock();
    ByteBudget disk = new ByteBudget(BudgetOptions.named("disk").withRate(Rate.PAUSED), stepped);
    List<Integer> served = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int number = i;
      ByteBudget child = disk.child(BudgetOptions.named("child " + i));
      child.addListener(
          new BudgetListener() {
            @Override
            public void waitEnded(long grantedBytes, long waitNanos) {
              synchronized (served) {
                served.add(number);
              }
            }
          });
      threads.add(start(() -> acquireOnce(child, 4000, stepped)));
      stepped.awaitParked(threads.getLast());
    }
    disk.setRate(RATE);
    while (stepped.awaitQuiet(threads) > 0) {
      stepped.advanceNanos(4 * MILLI);
    }
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), served);
    assertEquals(8 * 4000, disk.snapshot().grantedBytes());
  }

  /** Three of four pieces, as soon as the weight is set. */
  @Test
  void setWeight_whileThreadsWait_countsFromTheNextGrantOn() throws Exception {
    SteppedClock stepped = new SteppedClock();
    ByteBudget disk = new ByteBudget(BudgetOptions.named("disk").withRate(Rate.PAUSED), stepped);
    ByteBudget light = disk.child(BudgetOptions.named("light"));
    ByteBudget heavy = disk.child(BudgetOptions.named("heavy"));
    heavy.setWeight(3);
    assertThrows(IllegalArgumentException.class, () -> heavy.setWeight(0));
    List<Thread> threads = new ArrayList<>();
    for (ByteBudget child : List.of(light, heavy)) {
      for (int i = 0; i < 16; i++) { // each asks once, so that all are always in the queue
        threads.add(start(() -> acquireOnce(child, 1000, stepped)));
        stepped.awaitParked(threads.getLast());
      }
    }
    disk.setRate(RATE);
    while (stepped.awaitQuiet(threads) > 16) {
      stepped.advanceNanos(MILLI);
    }
    assertEquals(12, heavy.snapshot().requests(), 1);
    disk.setRate(Rate.UNLIMITED);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static Thread start(Runnable task) {
    return Thread.ofPlatform().daemon().start(task);
  }

  private static void acquireOnce(ByteBudget budget, long bytes, SteppedClock stepped) {
    try {
      budget.acquire(bytes);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      stepped.leave();
    }
  }

  @Test
  void countsReads_ofAChild_alsoWhenItsParentDoes() {
    ByteBudget disk = limited("disk");
    ByteBudget index = disk.child(BudgetOptions.named("index"));
    assertFalse(index.countsReads());
    index.setCounting(Counting.ofReads(true));
    assertTrue(index.countsReads());
    assertFalse(disk.countsReads());
    index.setCounting(Counting.ofReads(false));
    disk.setCounting(Counting.READS_AND_WRITES);
    assertTrue(index.countsReads());
    assertTrue(
        new ByteBudget(BudgetOptions.named("volume").counting(Counting.READS_AND_WRITES), clock)
            .countsReads());
  }

  @Test
  void budget_hasANameAndParksByDefault() throws Exception {
    ByteBudget disk = limited("disk");
    assertEquals("disk", disk.name());
    assertEquals("ByteBudget(disk, " + RATE + ")", disk.toString());
    BudgetLedger.drain(disk);
    assertEquals(1000, disk.acquire(1000, disk.parking()));
    assertEquals(Rate.UNLIMITED, ByteBudget.unlimited().rate());
  }

  @Test
  void burst_fromOneMillisecondToASecond_isAccepted() {
    BudgetOptions options = BudgetOptions.named("disk");
    for (Duration burst : List.of(Duration.ofMillis(1), Duration.ofSeconds(1))) {
      assertEquals(burst, options.withBurst(burst).burst());
    }
    for (Duration burst : List.of(Duration.ofNanos(999_999), Duration.ofNanos(1_000_000_001))) {
      assertThrows(IllegalArgumentException.class, () -> options.withBurst(burst));
    }
  }

  @Test
  void rate_thatIsNoneOrAll_hasNoBytes() {
    assertThrows(IllegalArgumentException.class, () -> new Rate(Rate.State.PAUSED, 1));
    assertThrows(IllegalArgumentException.class, () -> new Rate(Rate.State.UNLIMITED, 1));
    assertEquals(0, new Rate(Rate.State.PAUSED, 0).bytesPerSecond());
  }

  /**
   * At the nanosecond at which the bucket is full it holds its burst, and no part of a byte more.
   */
  @Test
  void bucket_fullToTheNanosecond_holdsItsBurstExactly() {
    TokenBucket full = TokenBucket.full(Rate.perSecond(7), 50 * MILLI, 0);
    TokenBucket later = full.minus(1, 0).minus(0, 142_857_143); // a byte in 142,857,142.9 ns
    assertEquals(full.levelNanoBytes(), later.levelNanoBytes());
  }

  /** A listener and a strategy that fail are told of in the log, and a listener once. */
  @Test
  void faultsOfOthers_areLogged() throws Exception {
    try (CapturedLog log = CapturedLog.of(ByteBudget.class.getPackage())) {
      ByteBudget disk = limited("disk");
      disk.addListener(
          new BudgetListener() {
            @Override
            public void rateChanged(Rate before, Rate after) {
              throw new IllegalStateException("on purpose");
            }
          });
      disk.setRate(Rate.PAUSED);
      disk.setRate(Rate.UNLIMITED);
      assertEquals(
          List.of("a listener of the byte budget disk failed; it is still called"), log.messages());
    }
    try (CapturedLog log = CapturedLog.of(ByteBudget.class.getPackage())) {
      SteppedClock stepped = new SteppedClock();
      ByteBudget disk = new ByteBudget(BudgetOptions.named("disk").withRate(Rate.PAUSED), stepped);
      WaitStrategy deaf =
          new CancellableParking(stepped) {
            @Override
            public void wakeUp(Thread thread) {
              stepped.unpark(thread);
              throw new IllegalStateException("on purpose");
            }
          };
      FutureTask<Long> waiter = new FutureTask<>(() -> disk.acquire(1000, deaf));
      Thread thread = Thread.ofPlatform().daemon().start(waiter);
      stepped.awaitParked(thread);
      disk.setRate(Rate.UNLIMITED);
      assertEquals(1000, waiter.get(10, TimeUnit.SECONDS));
      assertEquals(
          List.of("a wait strategy failed to wake a thread that waits for a byte budget"),
          log.messages());
    }
  }

  private static void acquireAll(ByteBudget budget, long bytes) throws InterruptedException {
    for (long left = bytes; left > 0; ) {
      left -= budget.acquire(left);
    }
  }
}
