package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/**
 * What holds for every tree of budgets, whatever is asked of it and when: one thread, and time that
 * moves only where the test or a wait moves it.
 */
class BudgetTreePropertiesTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long BURST_NANOS = BudgetOptions.DEFAULT_BURST.toNanos();
  private static final long FASTEST = 100_000_000;

  /**
   * In any window at most rate x window + burst, for every budget of three levels by its own cap.
   */
  @Property(tries = 200)
  void tryAcquire_anywhereInATree_keepsTheWindowBoundAtEveryLevel(
      @ForAll @Size(7) List<@LongRange(min = 0, max = FASTEST) Long> rates,
      @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 100_000_000) Integer> gaps,
      @ForAll long seed)
      throws InterruptedException {
    AutoClock clock = new AutoClock();
    List<ByteBudget> budgets = tree(rates, clock);
    List<Passed> passed = new ArrayList<>();
    for (ByteBudget budget : budgets) {
      passed.add(new Passed(budget));
    }
    Random random = new Random(seed);
    for (int gap : gaps) {
      clock.advanceNanos(gap);
      int misses = 0;
      for (int i = 0; i < 300 && misses < 5; i++) {
        ByteBudget budget = budgets.get(random.nextInt(budgets.size()));
        long bytes = 1 + random.nextInt(1 << random.nextInt(18));
        misses += budget.tryAcquire(bytes, Duration.ZERO) == 0 ? 1 : 0;
        passed.forEach(p -> p.look(clock.nanoTime()));
      }
    }
  }

  /** A claimant that waits, and always too long, loses no more than its last oversleep. */
  @Property(tries = 100)
  void acquire_withDemandAndOversleep_usesTheWholeRateOfTheLowestCap(
      @ForAll @LongRange(min = 1, max = FASTEST) long rootRate,
      @ForAll @LongRange(min = 1, max = FASTEST) long childRate,
      @ForAll @IntRange(min = 0, max = 20_000_000) int oversleepNanos,
      @ForAll @IntRange(min = 1000, max = 1 << 20) int requestBytes)
      throws InterruptedException {
    AutoClock clock = new AutoClock();
    ByteBudget root = new ByteBudget(BudgetOptions.named("root"), clock);
    ByteBudget child = root.child(BudgetOptions.named("child"));
    root.setBytesPerSecond(rootRate); // after unlimited it holds nothing
    child.setBytesPerSecond(childRate);
    clock.oversleepNanos = oversleepNanos;
    long lowest = Math.min(rootRate, childRate);
    long bytes = Math.max(lowest * 2, 10_000);
    for (long left = bytes; left > 0; ) {
      left -= child.acquire(Math.min(left, requestBytes));
    }
    long exactNanos = Math.ceilDiv(bytes * SECOND, lowest);
    long lateNanos = clock.nanoTime() - exactNanos;
    assertTrue(0 <= lateNanos, "early by " + -lateNanos + " ns");
    // Once for the lowest cap, once for the other one that may come last.
    assertTrue(lateNanos <= 2L * oversleepNanos + 2, "late by " + lateNanos + " ns");
  }

  /** Whatever the changes of rate, each grant comes at the first nanosecond at which it may. */
  @Property(tries = 200)
  void acquire_amongLiveChangesOfRate_isServedAtTheFirstNanosecondPossible(
      @ForAll @Size(min = 1, max = 40) List<@LongRange(min = 1, max = FASTEST) Long> rates,
      @ForAll @IntRange(min = 1, max = 200_000) int requestBytes,
      @ForAll long seed)
      throws InterruptedException {
    AutoClock clock = new AutoClock();
    Random random = new Random(seed);
    ByteBudget root = new ByteBudget(BudgetOptions.named("root"), clock);
    ByteBudget child = root.child(BudgetOptions.named("child"));
    root.setBytesPerSecond(rates.get(0));
    BudgetLedger ledger = new BudgetLedger(root, BURST_NANOS);
    for (long rate : rates) {
      ByteBudget claimant = random.nextBoolean() ? root : child;
      long idleNanos = random.nextInt(3) * random.nextInt(10_000_000);
      clock.advanceNanos(idleNanos);
      ledger.earn(idleNanos);
      root.setBytesPerSecond(rate);
      ledger.earn(0); // no more than the new burst
      for (int i = 0; i < 5; i++) {
        long beforeNanos = clock.nanoTime();
        long bytes =
            Math.min(
                requestBytes,
                Math.min(
                    ByteBudget.MAX_GRANT_BYTES, TokenBucket.burstBytes(rate, BURST_NANOS) / 2));
        long waitNanos = ledger.nanosUntil(bytes);
        assertEquals(bytes, claimant.acquire(requestBytes));
        assertEquals(waitNanos, clock.nanoTime() - beforeNanos);
        ledger.earn(waitNanos);
        ledger.settle();
      }
    }
  }

  /** What is debited passes at once, and those who wait pay for it to the nanosecond. */
  @Property(tries = 100)
  void acquire_afterADebitOfASister_waitsForExactlyWhatIsOwed(
      @ForAll @LongRange(min = 100_000, max = FASTEST) long rate,
      @ForAll @IntRange(min = 1, max = 900_000) int debitedBytes)
      throws InterruptedException {
    AutoClock clock = new AutoClock();
    ByteBudget root = new ByteBudget(BudgetOptions.named("root"), clock);
    ByteBudget urgent = root.child(BudgetOptions.named("urgent"));
    ByteBudget patient = root.child(BudgetOptions.named("patient"));
    root.setBytesPerSecond(rate);
    urgent.setPacing(ByteBudget.Pacing.DEBITED);
    assertEquals(debitedBytes, urgent.acquire(debitedBytes));
    assertEquals(0, clock.nanoTime());
    assertEquals(debitedBytes, root.snapshot().debtBytes());
    assertEquals(1, patient.acquire(1));
    assertEquals(Math.ceilDiv((debitedBytes + 1) * SECOND, rate), clock.nanoTime());
    assertEquals(0, root.snapshot().debtBytes());
    assertEquals(debitedBytes + 1, root.snapshot().grantedBytes());
  }

  /** A root, its two children and two children of each; 0 is no cap of its own. */
  private static List<ByteBudget> tree(List<Long> rates, AutoClock clock) {
    List<ByteBudget> budgets = new ArrayList<>();
    for (int i = 0; i < rates.size(); i++) {
      Rate rate = rates.get(i) == 0 ? Rate.UNLIMITED : Rate.perSecond(rates.get(i));
      BudgetOptions options = BudgetOptions.named("budget " + i).withRate(rate);
      budgets.add(
          i == 0 ? new ByteBudget(options, clock) : budgets.get((i - 1) / 2).child(options));
    }
    return budgets;
  }

  /**
   * What one budget has let pass, against the bound of every window so far: over all windows that
   * end now, the one that exceeds its rate the most is known from the last one's.
   */
  private static final class Passed {
    private final ByteBudget budget;
    private long bytes;
    private long atNanos;
    private long excessNanoBytes;

    Passed(ByteBudget budget) {
      this.budget = budget;
    }

    void look(long nowNanos) {
      long passed = budget.snapshot().grantedBytes() - bytes;
      if (passed == 0 || !budget.rate().isLimited()) {
        return;
      }
      long rate = budget.rate().bytesPerSecond();
      excessNanoBytes = Math.max(0, excessNanoBytes - (nowNanos - atNanos) * rate);
      excessNanoBytes += passed * SECOND;
      bytes += passed;
      atNanos = nowNanos;
      long burstBytes = TokenBucket.burstBytes(rate, BURST_NANOS);
      assertTrue(
          excessNanoBytes <= burstBytes * SECOND,
          () -> budget + " passed " + excessNanoBytes + " nano-bytes ahead, burst " + burstBytes);
    }
  }
}
