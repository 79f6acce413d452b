package io.weir.store.pages;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import java.time.Duration;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** Looks on real threads, by a clock that a test moves. */
public final class SteppedLooks {

  private final SteppedClock clock = new SteppedClock();
  private final BlockingDeque<Thread> threads = new LinkedBlockingDeque<>();
  private final LateLooks looks =
      new LateLooks(
          clock,
          task -> {
            Thread thread = Thread.ofPlatform().daemon().unstarted(task);
            thread.start();
            threads.add(thread);
          });

  /** To measure by. */
  public LateLooks looks() {
    return looks;
  }

  /** How many threads there ever were. */
  public int threads() {
    return threads.size();
  }

  private Thread last() throws InterruptedException {
    Thread last = threads.takeLast(); // a merge's thread ends a moment after its merge
    threads.add(last);
    return last;
  }

  /** The thread has looked at what was due, and waits. */
  public void awaitLook() throws InterruptedException {
    clock.awaitParked(last());
  }

  /** Moves time. */
  public void pass(long nanos) {
    clock.advanceNanos(nanos);
  }

  /** A second passes, and the thread has looked and waits again. */
  public void passOneSecond() throws InterruptedException {
    pass(LateLooks.PERIOD_NANOS);
    awaitLook();
  }

  /** A second passes, and the thread has looked and ended. */
  public void passTheLastSecond() throws InterruptedException {
    pass(LateLooks.PERIOD_NANOS);
    awaitEnd();
  }

  /** The thread has ended. */
  public void awaitEnd() throws InterruptedException {
    assertTrue(last().join(Duration.ofSeconds(30)), "the thread goes on");
  }
}
