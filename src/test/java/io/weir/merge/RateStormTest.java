package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.Rate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes of rate and pacing, at each level of a tree, while three indexes merge. */
@Timeout(120)
class RateStormTest {

  private static final int INDEXES = 3;
  private static final int MOST_CHANGES = 200_000;
  private static final int CHANGES_AT_ONCE = 16;
  private static final long BOUND_SECONDS = 60;
  private static final List<Rate> RATES =
      List.of(Rate.PAUSED, Rate.perSecond(1), Rate.perSecond(1_000_000_000), Rate.UNLIMITED);

  @TempDir private Path temp;

  private final ByteBudget disk = new ByteBudget(BudgetOptions.named("disk"));

  @Test
  void work_ratesAndPacingChangeAllTheTime_losesNothing() throws Exception {
    List<FaultRig> rigs = new ArrayList<>();
    List<FutureTask<Void>> works = new ArrayList<>();
    try {
      for (int i = 0; i < INDEXES; i++) {
        ByteBudget share = disk.child(BudgetOptions.named("index " + i).withWeight(i + 1));
        Path path = Files.createDirectory(temp.resolve("index" + i));
        FaultRig rig = new FaultRig(path, (kind, file) -> {}, i % 2 == 0, share, FaultRig.policy());
        rigs.add(rig);
        works.add(MergeLab.start(rig::work));
      }
      Random random = new Random(7);
      int changes = 0;
      while (!works.stream().allMatch(FutureTask::isDone) && changes < MOST_CHANGES) {
        change(rigs, random);
        changes++;
        if (changes % CHANGES_AT_ONCE == 0) {
          LockSupport.parkNanos(20_000); // merges need a processor too
        }
      }
      assertTrue(changes >= 2000, "merges met only " + changes + " changes");
      long delayed = disk.snapshot().delayedRequests();
      assertTrue(delayed >= 10, "only " + delayed + " waits: the merges hardly met the storm");
      calm(rigs);
      for (int i = 0; i < INDEXES; i++) {
        works.get(i).get(BOUND_SECONDS, TimeUnit.SECONDS);
        rigs.get(i).writer.close();
        assertEquals(List.of(), rigs.get(i).uncaught);
        rigs.get(i).checkAfterwards();
      }
      assertEquals(0, disk.snapshot().waiting());
      assertEquals(
          rigs.stream().mapToLong(rig -> rig.budget.snapshot().grantedBytes()).sum(),
          disk.snapshot().grantedBytes());
    } finally {
      calm(rigs);
      for (int i = rigs.size(); i-- > 0; ) {
        rigs.get(i).close();
      }
    }
  }

  private void change(List<FaultRig> rigs, Random random) {
    FaultRig rig = rigs.get(random.nextInt(INDEXES));
    ByteBudget budget = random.nextBoolean() ? disk : rig.budget;
    MergeKind kind = random.nextBoolean() ? MergeKind.NATURAL : MergeKind.FORCED;
    Rate rate = RATES.get(random.nextInt(RATES.size()));
    Pacing pacing = random.nextInt(4) == 0 ? Pacing.DEBITED : Pacing.PACED;
    switch (random.nextInt(4)) {
      case 0 -> budget.setRate(rate);
      case 1 -> budget.setPacing(pacing);
      case 2 -> rig.scheduler.setRate(kind, rate);
      default -> rig.scheduler.setPacing(kind, pacing);
    }
  }

  private void calm(List<FaultRig> rigs) {
    disk.setRate(Rate.UNLIMITED);
    disk.setPacing(Pacing.PACED);
    for (FaultRig rig : rigs) {
      rig.budget.setRate(Rate.UNLIMITED);
      rig.budget.setPacing(Pacing.PACED);
      for (MergeKind kind : List.of(MergeKind.NATURAL, MergeKind.FORCED)) {
        rig.scheduler.setRate(kind, Rate.UNLIMITED);
        rig.scheduler.setPacing(kind, Pacing.PACED);
      }
    }
  }
}
