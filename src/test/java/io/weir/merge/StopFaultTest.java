package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Natural and forced merges are stopped when a merge changes a file for its i-th time, and i grows
 * until they are done before. {@link AbortTest} does this to a forced merge alone.
 */
@Timeout(300)
class StopFaultTest {

  private static final long BOUND_SECONDS = 20;

  /** How they are stopped, and what is committed then. */
  enum Stop {
    ROLLBACK {
      @Override
      void run(FaultRig rig) throws IOException {
        rig.writer.rollback();
      }
    },
    DELETE_ALL {
      @Override
      void run(FaultRig rig) throws IOException {
        rig.writer.deleteAll();
        rig.allIsDeleted();
      }
    },
    CANCEL {
      @Override
      void run(FaultRig rig) throws IOException {
        rig.scheduler.cancelForcedMerges();
      }
    },
    CLOSE_ABORT,
    CLOSE_LIFT,
    CLOSE_FINISH;

    /** Closes, unless it is said otherwise above. */
    void run(FaultRig rig) throws IOException {
      rig.scheduler.setOnClose(name().substring("CLOSE_".length()).toLowerCase(Locale.ROOT));
      rig.writer.close();
      rig.allIsCommitted();
    }
  }

  @TempDir private Path temp;

  @ParameterizedTest
  @EnumSource(Stop.class)
  void stop_atAnyStepOfMerges_leavesTheIndexWhole(Stop stop) throws Exception {
    int stops = 0;
    for (int step = 1; stopAt(stop, step); step = FaultRig.next(step, 83)) {
      stops++;
    }
    assertTrue(stops >= 3, "only " + stops + " stops: the merges are too small");
  }

  /** Whether merges were there to be stopped. */
  private boolean stopAt(Stop stop, int step) throws Exception {
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    AtomicReference<Runnable> strike = new AtomicReference<>();
    AtomicReference<FutureTask<Void>> stopped = new AtomicReference<>();
    try (FaultRig rig =
        new FaultRig(
            temp,
            (kind, file) -> {
              if (Thread.currentThread().getName().startsWith("Lucene Merge Thread")
                  && left.decrementAndGet() == 0) {
                strike.get().run();
              }
            },
            false,
            FaultRig.tight(),
            NoMergePolicy.INSTANCE)) {
      rig.index();
      strike.set(() -> stopped.set(MergeLab.start(() -> stop.run(rig))));
      left.set(step);
      rig.writer.getConfig().setMergePolicy(FaultRig.policy());
      try {
        rig.writer.maybeMerge();
        rig.forceMerge();
        rig.scheduler.sync();
      } catch (IOException | RuntimeException e) {
        assertTrue(left.get() <= 0, () -> "failed though nothing was stopped: " + e);
      }
      boolean met = left.get() <= 0;
      if (met) {
        stopped.get().get(BOUND_SECONDS, TimeUnit.SECONDS);
      }
      if (rig.writer.isOpen()) {
        rig.commit();
        rig.writer.close();
      }
      rig.checkAfterwards();
      return met;
    }
  }

  /** Rate 0, and nobody ever lifts it. Commits, reopens and indexing go on all the same. */
  @ParameterizedTest
  @EnumSource(names = {"ROLLBACK", "DELETE_ALL", "CANCEL", "CLOSE_ABORT", "CLOSE_LIFT"})
  void stop_whilePausedForEver_endsAndHoldsNobodyUp(Stop stop) throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.named("paused"));
    ByteBudget paused = budget.child(BudgetOptions.named("child").withRate(Rate.PAUSED));
    try (FaultRig rig = new FaultRig(temp, (kind, file) -> {}, true, paused, FaultRig.policy())) {
      rig.index();
      FutureTask<Void> forced = MergeLab.forceMerge(rig.writer);
      Await.until("a merge waits", () -> paused.snapshot().waiting() > 0);
      for (int round = 6; round < 10; round++) {
        int current = round;
        MergeLab.start(
                () -> {
                  rig.indexRound(current);
                  rig.reopen();
                  rig.commit();
                })
            .get(BOUND_SECONDS, TimeUnit.SECONDS);
      }
      MergeLab.start(() -> stop.run(rig)).get(BOUND_SECONDS, TimeUnit.SECONDS);
      Await.until("forceMerge returns", forced::isDone);
      if (rig.writer.isOpen()) {
        MergeLab.start(rig::commit).get(BOUND_SECONDS, TimeUnit.SECONDS);
        MergeLab.start(rig.writer::close).get(BOUND_SECONDS, TimeUnit.SECONDS);
      }
      assertEquals(0, paused.snapshot().waiting());
      assertEquals(Rate.PAUSED, paused.rate());
      paused.setRate(Rate.UNLIMITED); // for the check, which merges
      rig.checkAfterwards();
    }
  }

  /** Lucene aborts it and waits for its end. {@link CloseActionTest} has it while one closes. */
  @ParameterizedTest
  @EnumSource(names = {"ROLLBACK", "DELETE_ALL"})
  void stop_whileAddIndexesIsPaused_ends(Stop stop) throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.named("paused"));
    try (Directory source = new ByteBuffersDirectory();
        FaultRig rig =
            new FaultRig(temp, (kind, file) -> {}, true, budget, NoMergePolicy.INSTANCE)) {
      MergeLab.build(source, 3, 20, MergeLab::source);
      rig.index();
      budget.setRate(Rate.PAUSED);
      FutureTask<Void> adding =
          MergeLab.start(
              () -> {
                try (DirectoryReader reader = DirectoryReader.open(source)) {
                  rig.writer.addIndexes(MergeKindTest.codecReaders(reader));
                }
              });
      Await.until("addIndexes waits", () -> budget.snapshot().waiting() > 0);
      MergeLab.start(() -> stop.run(rig)).get(BOUND_SECONDS, TimeUnit.SECONDS);
      Await.until("addIndexes returns", adding::isDone);
      if (rig.writer.isOpen()) {
        rig.writer.rollback();
      }
      budget.setRate(Rate.UNLIMITED);
      rig.checkAfterwards();
    }
  }
}
