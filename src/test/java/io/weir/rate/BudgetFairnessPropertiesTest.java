package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.fakes.SteppedWriters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.function.Executable;

/**
 * Who gets how much, and in which order, whatever the tree: real threads that wait, on a clock that
 * moves only when all of them do.
 */
class BudgetFairnessPropertiesTest {

  private static final long RATE = 1_000_000;
  private static final int GRANT_BYTES = 25_000; // half the burst
  private static final long NANOS_OF_A_GRANT = 25_000_000;

  /** The smallest share must be of so many grants, for one more or less to be under 5 %. */
  private static final int GRANTS_OF_THE_LEAST = 40;

  @Property(tries = 30)
  void acquire_equalClaimants_areServedInTheOrderTheyCame(
      @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 1, max = GRANT_BYTES) Integer> requests,
      @ForAll @IntRange(min = 0, max = 8) int interrupted) {
    inTime(
        () -> {
          SteppedClock clock = new SteppedClock();
          ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(RATE)), clock);
          BudgetLedger.drain(budget);
          List<Integer> order = Collections.synchronizedList(new ArrayList<>());
          List<Thread> threads = new ArrayList<>();
          List<Integer> expected = new ArrayList<>();
          for (int i = 0; i < requests.size(); i++) {
            int id = i;
            threads.add(
                Thread.ofPlatform().start(() -> claim(clock, budget, requests.get(id), id, order)));
            clock.awaitParked(threads.get(i));
            if (i != interrupted) {
              expected.add(i);
            }
          }
          if (interrupted < threads.size()) {
            threads.get(interrupted).interrupt();
          }
          while (clock.awaitQuiet(threads) > 0) {
            // To the nanosecond: so one at a time, and the order of the list is that of the grants.
            clock.advanceNanos(clock.nanosToNextWakeUp());
          }
          assertEquals(expected, order);
        });
  }

  private static void claim(
      SteppedClock clock, ByteBudget budget, int bytes, int id, List<Integer> order) {
    try {
      budget.acquire(bytes);
      order.add(id);
    } catch (InterruptedException e) {
      // The one that was to be.
    } finally {
      clock.leave();
    }
  }

  @Property(tries = 12)
  void acquire_competingChildren_getSharesByWeight(
      @ForAll @Size(min = 2, max = 4) List<@IntRange(min = 1, max = 10) Integer> weights,
      @ForAll @IntRange(min = 1, max = 3) int threadsOfTheFirst) {
    inTime(
        () -> {
          SteppedClock clock = new SteppedClock();
          ByteBudget root = new ByteBudget(BudgetOptions.of(Rate.perSecond(RATE)), clock);
          // An idle one, however heavy, takes nothing from the others.
          root.child(BudgetOptions.named("idle").withWeight(BudgetOptions.MAX_WEIGHT));
          List<ByteBudget> children = children(root, weights);
          List<Long> granted;
          int steps = stepsFor(weights);
          try (SteppedWriters writers = new SteppedWriters(clock)) {
            for (ByteBudget child : children) {
              writers.start(child, 1 << 20);
            }
            for (int i = 1; i < threadsOfTheFirst; i++) {
              writers.start(children.get(0), 1 << 20); // more threads, no more weight
            }
            granted = granted(children, writers, steps);
          }
          assertShares(weights, granted, steps * (long) GRANT_BYTES);
        });
  }

  /** One that comes late gets its share from then on, and nothing for the time it was away. */
  @Property(tries = 8)
  void acquire_childThatWasAway_earnedNoTurnMeanwhile(
      @ForAll @IntRange(min = 1, max = 5) int weight,
      @ForAll @IntRange(min = 10, max = 80) int grantsBefore) {
    inTime(
        () -> {
          SteppedClock clock = new SteppedClock();
          ByteBudget root = new ByteBudget(BudgetOptions.of(Rate.perSecond(RATE)), clock);
          List<Integer> weights = List.of(1, weight);
          List<ByteBudget> children = children(root, weights);
          int steps = stepsFor(weights);
          List<Long> granted;
          try (SteppedWriters writers = new SteppedWriters(clock)) {
            writers.start(children.get(0), 1 << 20);
            writers.run(grantsBefore * NANOS_OF_A_GRANT);
            writers.start(children.get(1), 1 << 20);
            granted = granted(children, writers, steps);
          }
          assertShares(weights, granted, steps * (long) GRANT_BYTES);
        });
  }

  /** A child whose own cap is under its share gets that, and the others the rest by weight. */
  @Property(tries = 8)
  void acquire_oneChildUnderItsShare_leavesTheRestToTheOthersByWeight(
      @ForAll @Size(min = 2, max = 3) List<@IntRange(min = 1, max = 5) Integer> weights,
      @ForAll @IntRange(min = 10_000, max = 100_000) int cap) {
    inTime(
        () -> {
          SteppedClock clock = new SteppedClock();
          ByteBudget root = new ByteBudget(BudgetOptions.of(Rate.perSecond(RATE)), clock);
          ByteBudget capped =
              root.child(
                  BudgetOptions.named("capped")
                      .withRate(Rate.perSecond(cap))
                      .withWeight(BudgetOptions.MAX_WEIGHT));
          List<ByteBudget> children = children(root, weights);
          List<ByteBudget> all = new ArrayList<>(children);
          all.add(capped);
          int steps = stepsFor(weights) * 5 / 4;
          List<Long> granted;
          try (SteppedWriters writers = new SteppedWriters(clock)) {
            for (ByteBudget child : all) {
              writers.start(child, 1 << 20);
            }
            granted = granted(all, writers, steps);
          }
          long elapsedNanos = steps * NANOS_OF_A_GRANT;
          long cappedBytes = granted.removeLast();
          long itsDueBytes = cap * elapsedNanos / 1_000_000_000;
          assertEquals(itsDueBytes, cappedBytes, 0.05 * itsDueBytes + 5000); // and its burst
          assertShares(weights, granted, steps * (long) GRANT_BYTES - cappedBytes);
        });
  }

  /** Weights hold within each level: a grandchild shares what its parent gets. */
  @Property(tries = 8)
  void acquire_grandchildren_shareTheShareOfTheirParent(
      @ForAll @IntRange(min = 1, max = 4) int left,
      @ForAll @IntRange(min = 1, max = 4) int right,
      @ForAll @Size(2) List<@IntRange(min = 1, max = 4) Integer> leftWeights) {
    inTime(
        () -> {
          SteppedClock clock = new SteppedClock();
          ByteBudget root = new ByteBudget(BudgetOptions.of(Rate.perSecond(RATE)), clock);
          List<ByteBudget> sides = children(root, List.of(left, right));
          List<ByteBudget> leaves = children(sides.get(0), leftWeights);
          leaves.add(sides.get(1));
          int leftSum = leftWeights.get(0) + leftWeights.get(1);
          List<Integer> shares =
              List.of(left * leftWeights.get(0), left * leftWeights.get(1), right * leftSum);
          int steps = stepsFor(shares);
          List<Long> granted;
          try (SteppedWriters writers = new SteppedWriters(clock)) {
            for (ByteBudget leaf : leaves) {
              writers.start(leaf, 1 << 20);
            }
            granted = granted(leaves, writers, steps);
          }
          assertShares(shares, granted, steps * (long) GRANT_BYTES);
        });
  }

  private static List<ByteBudget> children(ByteBudget parent, List<Integer> weights) {
    List<ByteBudget> children = new ArrayList<>();
    for (int weight : weights) {
      children.add(parent.child(BudgetOptions.named("child").withWeight(weight)));
    }
    return children;
  }

  private static int stepsFor(List<Integer> weights) {
    int sum = weights.stream().mapToInt(Integer::intValue).sum();
    return Math.ceilDiv(GRANTS_OF_THE_LEAST * sum, Collections.min(weights));
  }

  /** What each is granted in so many steps, once the burst is gone and all of them wait. */
  private static List<Long> granted(List<ByteBudget> budgets, SteppedWriters writers, int steps)
      throws InterruptedException {
    writers.run(budgets.size() * NANOS_OF_A_GRANT);
    List<Long> before = budgets.stream().map(b -> b.snapshot().grantedBytes()).toList();
    writers.run(steps * NANOS_OF_A_GRANT);
    List<Long> granted = new ArrayList<>();
    for (int i = 0; i < budgets.size(); i++) {
      granted.add(budgets.get(i).snapshot().grantedBytes() - before.get(i));
    }
    return granted;
  }

  private static void assertShares(List<Integer> weights, List<Long> granted, long allBytes) {
    long sum = granted.stream().mapToLong(Long::longValue).sum();
    assertTrue(sum >= 0.99 * allBytes, sum + " of " + allBytes + " bytes used");
    int weightSum = weights.stream().mapToInt(Integer::intValue).sum();
    for (int i = 0; i < granted.size(); i++) {
      double due = (double) sum * weights.get(i) / weightSum;
      assertEquals(due, granted.get(i), 0.05 * due, weights + " got " + granted);
    }
  }

  private static void inTime(Executable test) {
    assertTimeoutPreemptively(Duration.ofMinutes(1), test);
  }
}
