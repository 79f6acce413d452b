package io.weir.rate;

import io.weir.rate.ByteBudget.Pacing;
import io.weir.suite.Alone;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every pair of operations on a budget raced against each other, many times, each race checked
 * exactly (see {@link BudgetRace}). A short run by default; {@code -Dweir.stress.rounds=100000} for
 * a long one.
 */
@Alone("its threads race, which needs both processors, and C2, which reorders most")
@Timeout(600) // each test; a thread that spins keeps the clock from moving
class ByteBudgetStressTest {

  private static final int ROUNDS = Integer.getInteger("weir.stress.rounds", 200);
  private static final List<Rate> ROOT_RATES =
      List.of(BudgetRace.ROOT_RATE, Rate.perSecond(5_000_000), Rate.PAUSED);
  private static final List<Rate> CHILD_RATES =
      List.of(BudgetRace.CHILD_RATE, Rate.perSecond(4_000_000), Rate.PAUSED);

  /** What may be done to a budget, and what is raced against it. */
  enum Contest {
    ACQUIRE {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        race.add(() -> race.acquire(budget, 3));
      }
    },
    TRY_ACQUIRE_AT_ONCE {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        race.add(() -> race.tryAcquire(budget, 3, 0));
      }
    },
    TRY_ACQUIRE_IN_TIME {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        // Often the very time at which its tokens come, if it is the first.
        race.add(() -> race.tryAcquire(budget, 2, race.requestBytes * 500L * race.random(5)));
      }
    },
    INTERRUPT {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        Thread victim = race.add(() -> race.acquire(budget, 2));
        race.add(
            () -> {
              race.sleepALittle();
              victim.interrupt();
            });
      }
    },
    CANCEL {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        RacingCancellation merge = new RacingCancellation(race.clock, race.threads);
        race.add(() -> race.acquire(budget, 3, merge));
        race.add(() -> race.acquire(budget, 3, merge));
        race.add(
            () -> {
              race.sleepALittle();
              merge.callOff();
            });
      }
    },
    SET_RATE {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        List<Rate> rates = budget == race.root ? ROOT_RATES : CHILD_RATES;
        race.add(
            () -> {
              for (int i = 0; i < 3; i++) {
                budget.setRate(rates.get(race.random(rates.size())));
              }
            });
      }
    },
    PAUSE_AND_RESUME {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        Rate rate = budget.rate();
        race.add(
            () -> {
              for (int i = 0; i < 2; i++) {
                race.sleepALittle();
                budget.setRate(Rate.PAUSED);
                race.sleepALittle();
                budget.setRate(rate);
              }
            });
      }
    },
    UNLIMIT {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        race.inexact = true;
        Rate rate = budget.rate();
        race.add(
            () -> {
              for (int i = 0; i < 2; i++) {
                race.sleepALittle();
                budget.setRate(Rate.UNLIMITED);
                budget.setRate(rate);
              }
            });
      }
    },
    SET_PACING {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        race.debited = true;
        race.add(
            () -> {
              for (int i = 0; i < 2; i++) {
                race.sleepALittle();
                budget.setPacing(Pacing.DEBITED);
                budget.setPacing(race.random(2) == 0 ? Pacing.DEBITED : Pacing.PACED);
              }
            });
      }
    },
    LISTEN {
      @Override
      void enter(BudgetRace race, ByteBudget budget) {
        BudgetListener listener = new BudgetListener() {};
        race.add(
            () -> {
              budget.addListener(listener);
              race.sleepALittle();
              budget.removeListener(listener);
            });
      }
    };

    /** Adds the threads that do it. */
    abstract void enter(BudgetRace race, ByteBudget budget);
  }

  /** On one budget alone. */
  @ParameterizedTest
  @EnumSource
  void acquire_againstEachOnOneBudget_losesNothing(Contest contest) throws Exception {
    race(
        contest.ordinal(),
        race -> {
          race.add(() -> race.acquire(race.root, 3));
          contest.enter(race, race.root);
        });
  }

  /** In a capped child, while others claim from its parent and from its sister. */
  @ParameterizedTest
  @EnumSource
  void acquire_againstEachInATree_losesNothing(Contest contest) throws Exception {
    race(
        100 + contest.ordinal(),
        race -> {
          race.add(() -> race.acquire(race.cappedChild, 2));
          race.add(() -> race.acquire(race.random(2) == 0 ? race.root : race.freeChild, 2));
          List<ByteBudget> budgets = List.of(race.root, race.cappedChild, race.freeChild);
          boolean rates = contest == Contest.SET_RATE || contest == Contest.PAUSE_AND_RESUME;
          contest.enter(race, budgets.get(race.random(rates ? 2 : 3)));
        });
  }

  /** Any three at once, anywhere in the tree. */
  @ParameterizedTest
  @EnumSource
  void everything_atOnce_losesNothing(Contest contest) throws Exception {
    race(
        200 + contest.ordinal(),
        race -> {
          race.add(() -> race.acquire(race.cappedChild, 2));
          contest.enter(race, race.cappedChild);
          Contest[] all = Contest.values();
          all[race.random(all.length)].enter(race, race.root);
          all[race.random(Contest.SET_RATE.ordinal())].enter(race, race.freeChild);
        });
  }

  private interface Entrants {
    void enter(BudgetRace race);
  }

  private static void race(int series, Entrants entrants) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = series * 1_000_003L + round;
      BudgetRace race = new BudgetRace(new Random(seed));
      try {
        entrants.enter(race);
        race.run();
      } catch (AssertionError e) {
        throw new AssertionError("round " + round + " of " + ROUNDS + ": " + e.getMessage(), e);
      }
    }
  }
}
