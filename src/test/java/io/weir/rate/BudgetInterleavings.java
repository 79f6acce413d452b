package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.interleavings.Actors;
import io.weir.rate.ByteBudget.Pacing;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Threads at one tree of budgets. Time passes only while a thread waits for a time. A wait without
 * a time ends by a wake-up alone, so a wake-up that is lost leaves a run that never ends.
 */
final class BudgetInterleavings {

  private static final long BYTES = 100;
  private static final Rate RATE = Rate.perSecond(1_000_000); // 1 byte in 1000 ns
  private static final long NANOS_PER_BYTE = 1000;

  private final AutoClock clock = new AutoClock();
  private final ByteBudget root = new ByteBudget(BudgetOptions.named("root"), clock);
  private final ByteBudget child = root.child(BudgetOptions.named("child"));
  private final AtomicLong returned = new AtomicLong();

  /** From a pause, whichever of the two came first. */
  void setRate_whileTwoBeginToWait_wakesBoth() throws InterruptedException {
    root.setRate(Rate.PAUSED);
    Actors.run(() -> acquire(child), () -> acquire(root), () -> root.setRate(RATE));
    assertSettled(2 * BYTES);
  }

  /** The root waits for time, and the child for the end of a pause. */
  void setRate_ofAChildWhileItsParentIsCapped_wakesItsOwn() throws InterruptedException {
    drain();
    child.setRate(Rate.PAUSED);
    Actors.run(() -> acquire(child), () -> acquire(root), () -> child.setRate(RATE));
    assertSettled(2 * BYTES);
    assertHeldIsExact();
  }

  void setPacing_toDebited_releasesThoseThatWait() throws InterruptedException {
    root.setRate(Rate.PAUSED);
    Actors.run(() -> acquire(child), () -> acquire(child), () -> child.setPacing(Pacing.DEBITED));
    assertSettled(2 * BYTES);
    assertEquals(2 * BYTES, root.snapshot().debtBytes());
  }

  void acquire_byThree_passesWhatTheCapAllows() throws InterruptedException {
    drain();
    Actors.run(() -> acquire(child), () -> acquire(root), () -> acquire(child));
    assertSettled(3 * BYTES);
    assertHeldIsExact();
  }

  /** The cancelled one returns its bytes or none, and the other gets its own. */
  void cancel_againstAGrant_losesNeither() throws InterruptedException {
    drain();
    CancellableParking merge = new CancellableParking(clock);
    Thread cancelled = Actors.thread(() -> returned.addAndGet(root.acquire(BYTES, merge)));
    cancelled.start();
    Actors.run(
        () -> acquire(child),
        () -> {
          merge.cancelled.set(true);
          merge.wakeUp(cancelled);
        });
    cancelled.join();
    assertSettled(returned.get());
    assertTrue(returned.get() == BYTES || returned.get() == 2 * BYTES, () -> "" + returned);
    assertHeldIsExact();
  }

  void interrupt_againstAGrant_losesNeither() throws InterruptedException {
    root.setRate(Rate.PAUSED);
    Thread interrupted =
        Actors.thread(
            () -> {
              try {
                acquire(child);
              } catch (InterruptedException e) {
                // It took nothing.
              }
            });
    interrupted.start();
    Actors.run(() -> acquire(child), interrupted::interrupt, () -> root.setRate(RATE));
    interrupted.join();
    assertSettled(returned.get());
    assertHeldIsExact();
  }

  void tryAcquire_againstAGrant_takesAllOrNothing() throws InterruptedException {
    drain();
    Actors.run(
        () -> returned.addAndGet(child.tryAcquire(BYTES, Duration.ofNanos(NANOS_PER_BYTE))),
        () -> returned.addAndGet(root.tryAcquire(BYTES, Duration.ZERO)),
        () -> acquire(child));
    assertSettled(returned.get());
    assertHeldIsExact();
  }

  /** What it was granted meanwhile is there for the other one. */
  void await_thatFailsAgainstAGrant_givesItBack() throws InterruptedException {
    root.setRate(Rate.PAUSED);
    Actors.run(
        () -> {
          try {
            returned.addAndGet(child.acquire(BYTES, new FailingStrategy()));
          } catch (IllegalStateException e) {
            // It took nothing.
          }
        },
        () -> acquire(child),
        () -> root.setRate(RATE));
    assertEquals(0, root.snapshot().waiting());
    assertHeldIsExact();
  }

  /** Its wait fails as soon as it begins, when a grant may have come already. */
  private final class FailingStrategy implements WaitStrategy {

    @Override
    public void await(long waitNanos, BooleanSupplier stillWaiting) {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public void wakeUp(Thread thread) {
      clock.unpark(thread);
    }

    @Override
    public boolean isCancelled() {
      return false;
    }
  }

  private void acquire(ByteBudget budget) throws InterruptedException {
    returned.addAndGet(budget.acquire(BYTES));
  }

  /** Leaves a cap without a token. */
  private void drain() {
    root.setRate(RATE); // after unlimited it holds nothing
  }

  private void assertSettled(long bytes) {
    assertEquals(bytes, returned.get(), "returned");
    assertEquals(bytes, root.snapshot().grantedBytes(), "counted");
    assertEquals(0, root.snapshot().waiting(), "in the queue");
  }

  /** It holds what time has earned since it held nothing, but for what was returned. */
  private void assertHeldIsExact() throws InterruptedException {
    long earned = clock.nanoTime() / NANOS_PER_BYTE;
    assertEquals(earned - returned.get(), BudgetLedger.drain(root), "held in the end");
  }
}
