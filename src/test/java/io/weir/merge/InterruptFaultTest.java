package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetListener;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.lucene.store.AlreadyClosedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thread is interrupted when it changes a file or waits for its i-th time, and i grows until none
 * does so any more.
 */
@Timeout(300)
class InterruptFaultTest {

  /** Whose turn it is. */
  enum Victim {
    MERGE(name -> name.startsWith("Lucene Merge Thread")),
    WITHIN_A_MERGE(name -> name.startsWith("pool-")),
    INDEXING(name -> name.equals("main"));

    private final Predicate<String> threadName;

    Victim(Predicate<String> threadName) {
      this.threadName = threadName;
    }

    boolean isCurrentThread() {
      return threadName.test(Thread.currentThread().getName());
    }
  }

  @TempDir private Path temp;

  @AfterEach
  void forgetTheInterrupt() {
    Thread.interrupted();
  }

  @ParameterizedTest
  @CsvSource({
    "MERGE,false,97,3",
    "MERGE,true,13,3",
    "WITHIN_A_MERGE,false,5,2",
    "WITHIN_A_MERGE,true,5,2",
    "INDEXING,false,97,3"
  })
  void work_threadInterruptedAtAnyStep_losesNothingCommitted(
      Victim victim, boolean atWaits, int stride, int atLeast) throws Exception {
    int faults = 0;
    for (int step = 1; interruptAt(victim, atWaits, step); step = FaultRig.next(step, stride)) {
      faults++;
    }
    assertTrue(faults >= atLeast, "only " + faults + " interrupts: the work is too small");
  }

  /** Whether it came to that. */
  private boolean interruptAt(Victim victim, boolean atWaits, int step) throws Exception {
    AtomicInteger left = new AtomicInteger(step);
    Runnable strike =
        () -> {
          if (victim.isCurrentThread() && left.decrementAndGet() == 0) {
            Thread.currentThread().interrupt();
          }
        };
    Runnable none = () -> {};
    Runnable atFiles = atWaits ? none : strike;
    try (FaultRig rig =
        new FaultRig(
            temp,
            (kind, file) -> atFiles.run(),
            false,
            FaultRig.tight(atWaits ? 1_000_000 : 8_000_000),
            FaultRig.policyOfLargeMerges())) {
      if (atWaits) {
        rig.budget.addListener(
            new BudgetListener() {
              @Override
              public void waitStarted(long requestedBytes) {
                strike.run();
              }
            });
      }
      Throwable failure = null;
      try {
        rig.work();
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      boolean met = left.get() <= 0;
      left.set(Integer.MAX_VALUE);
      Thread.interrupted();
      assertTrue(met || failure == null, "failed without an interrupt");
      try {
        rig.writer.rollback();
      } catch (ClosedChannelException | AlreadyClosedException e) {
        assertTrue(met && !rig.writer.isOpen()); // Lucene's lock is an interruptible channel
      }
      rig.checkAfterwards();
      return met;
    }
  }
}
