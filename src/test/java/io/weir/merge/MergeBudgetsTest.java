package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.Rate;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MergeBudgetsTest {

  private final ByteBudget disk = new ByteBudget(BudgetOptions.named("disk"), new SteppedClock());
  private final ByteBudget index = disk.child(BudgetOptions.named("index"));
  private final ByteBudget other = new ByteBudget(BudgetOptions.named("other"), new SteppedClock());

  @Test
  void payers_theOneBelowPaysForThoseAbove() {
    assertEquals(List.of(disk), new MergeBudgets(disk).payers(List.of(disk)));
    assertEquals(List.of(index), new MergeBudgets(disk).payers(List.of(index)));
    assertEquals(List.of(index), new MergeBudgets(index).payers(List.of(disk)));
    assertEquals(List.of(disk, other), new MergeBudgets(disk).payers(List.of(other)));
    assertEquals(List.of(index), new MergeBudgets(disk).payers(List.of(disk, index)));
  }

  @Test
  void setRate_ofOneKind_holdsThatKindOnly() throws Exception {
    MergeBudgets budgets = new MergeBudgets(disk);
    ByteBudget natural = budgets.forMerge(disk, MergeKind.NATURAL);
    budgets.setRate(MergeKind.NATURAL, Rate.PAUSED);
    assertEquals(0, natural.tryAcquire(100, Duration.ZERO));
    assertEquals(100, budgets.forMerge(disk, MergeKind.FORCED).tryAcquire(100, Duration.ZERO));
  }

  @Test
  void setRate_beforeTheFirstMerge_holdsItToo() throws Exception {
    MergeBudgets budgets = new MergeBudgets(disk);
    budgets.setRate(MergeKind.FORCED, Rate.PAUSED);
    assertEquals(0, budgets.forMerge(disk, MergeKind.FORCED).tryAcquire(1, Duration.ZERO));
    assertEquals(0, budgets.forMerge(other, MergeKind.FORCED).tryAcquire(1, Duration.ZERO));
  }

  @Test
  void critical_whateverThePauseAbove_passesAndIsOwed() throws Exception {
    disk.setRate(Rate.PAUSED);
    MergeBudgets budgets = new MergeBudgets(disk);
    assertEquals(5000, budgets.forMerge(disk, MergeKind.CRITICAL).tryAcquire(5000, Duration.ZERO));
    assertEquals(5000, disk.snapshot().grantedBytes());
    assertEquals(5000, disk.snapshot().debtBytes());
  }

  @Test
  void setPacing_debited_passesAndPacedAgainWaits() throws Exception {
    disk.setRate(Rate.PAUSED);
    MergeBudgets budgets = new MergeBudgets(disk);
    ByteBudget forced = budgets.forMerge(disk, MergeKind.FORCED);
    budgets.setPacing(MergeKind.FORCED, Pacing.DEBITED);
    assertEquals(10, forced.tryAcquire(10, Duration.ZERO));
    budgets.setPacing(MergeKind.FORCED, Pacing.PACED);
    assertEquals(0, forced.tryAcquire(10, Duration.ZERO));
  }

  @Test
  void setLifted_alsoARateOfTheKind_isLifted() throws Exception {
    MergeBudgets budgets = new MergeBudgets(disk);
    budgets.setRate(MergeKind.NATURAL, Rate.PAUSED);
    ByteBudget natural = budgets.forMerge(disk, MergeKind.NATURAL);
    budgets.setLifted(true);
    assertFalse(budgets.arePaced());
    assertEquals(10, natural.tryAcquire(10, Duration.ZERO));
    budgets.setPacing(MergeKind.NATURAL, Pacing.PACED);
    assertEquals(10, natural.tryAcquire(10, Duration.ZERO), "still lifted");
    budgets.setLifted(false);
    assertTrue(budgets.arePaced());
    assertEquals(0, natural.tryAcquire(10, Duration.ZERO));
  }

  @Test
  void capBytesPerSecond_isTheLowestOnTheWayUp() {
    MergeBudgets budgets = new MergeBudgets(index);
    assertEquals(OptionalLong.empty(), budgets.capBytesPerSecond());
    assertFalse(budgets.arePaced());
    disk.setBytesPerSecond(5000);
    assertEquals(OptionalLong.of(5000), budgets.capBytesPerSecond());
    assertTrue(budgets.arePaced());
    budgets.setRate(MergeKind.NATURAL, Rate.perSecond(3000));
    assertEquals(OptionalLong.of(3000), budgets.capBytesPerSecond());
    index.setRate(Rate.PAUSED);
    assertEquals(OptionalLong.of(0), budgets.capBytesPerSecond());
    index.setPacing(Pacing.DEBITED);
    budgets.setPacing(MergeKind.NATURAL, Pacing.DEBITED);
    assertFalse(budgets.arePaced());
  }

  @Test
  void setWeight_ofNothing_isRefused() {
    MergeBudgets budgets = new MergeBudgets(disk);
    assertThrows(IllegalArgumentException.class, () -> budgets.setWeight(0));
    budgets.setWeight(3);
  }
}
