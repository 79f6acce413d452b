package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetListener;
import io.weir.rate.Rate;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners of the budget and of the scheduler that throw: at each call, or at one of them. */
@Timeout(300)
class ListenerFaultTest {

  private static final Logger BUDGET_LOG = Logger.getLogger("io.weir.rate");
  private static final Logger MERGE_LOG = Logger.getLogger("io.weir.merge");

  @TempDir private Path temp;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void work_listenersThrow_hurtsNothing(boolean everyCall) throws Exception {
    Level budgetLevel = BUDGET_LOG.getLevel();
    Level mergeLevel = MERGE_LOG.getLevel();
    BUDGET_LOG.setLevel(Level.OFF);
    MERGE_LOG.setLevel(Level.OFF);
    try {
      int call = 1;
      while (throwAt(call, everyCall) && !everyCall) {
        call = FaultRig.next(call, 17);
      }
      assertTrue(everyCall || call > 50, "only " + call + " calls: the work is too small");
    } finally {
      BUDGET_LOG.setLevel(budgetLevel);
      MERGE_LOG.setLevel(mergeLevel);
    }
  }

  /** Whether there was such a call. */
  private boolean throwAt(int call, boolean andAllThatFollow) throws Exception {
    AtomicInteger left = new AtomicInteger(call);
    try (FaultRig rig = new FaultRig(temp, (kind, file) -> {}, call % 2 == 0)) {
      Failing failing =
          new Failing(
              () -> {
                int now = left.decrementAndGet();
                if (now == 0 || now < 0 && andAllThatFollow) {
                  if ((now + call) % 2 == 0) {
                    throw new IllegalStateException("on purpose");
                  }
                  throw new StackOverflowError("on purpose");
                }
              });
      rig.budget.addListener(failing);
      rig.scheduler.addListener(failing);
      rig.work();
      rig.budget.setRate(Rate.PAUSED);
      rig.budget.setRate(Rate.UNLIMITED);
      rig.writer.close();
      assertEquals(List.of(), rig.uncaught);
      rig.checkAfterwards();
      return left.get() <= 0;
    }
  }

  private record Failing(Runnable step) implements BudgetListener, MergeListener {

    @Override
    public void waitStarted(long requestedBytes) {
      step.run();
    }

    @Override
    public void waitEnded(long grantedBytes, long waitNanos) {
      step.run();
    }

    @Override
    public void rateChanged(Rate before, Rate after) {
      step.run();
    }

    @Override
    public void mergeStarted(MergeTotals merge) {
      step.run();
    }

    @Override
    public void mergeFinished(MergeTotals merge) {
      step.run();
    }

    @Override
    public void capLifted(String reason) {
      step.run();
    }

    @Override
    public void capRestored() {
      step.run();
    }

    @Override
    public void cannotKeepUp(MergeDebtSnapshot debt) {
      step.run();
    }
  }
}
