package io.weir.fakes;

import io.weir.rate.ByteBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that always want more of a budget, on a clock that moves only when all of them wait. So
 * whose turn it is, and nothing else, decides who gets how much.
 */
public final class SteppedWriters implements AutoCloseable {

  private final SteppedClock clock;
  private final List<Thread> threads = new ArrayList<>();
  private final List<AtomicLong> grantedBytes = new ArrayList<>();

  public SteppedWriters(SteppedClock clock) {
    this.clock = clock;
  }

  /** One more, that asks in pieces of {@code requestBytes}, and for the rest until it has them. */
  public void start(ByteBudget budget, long requestBytes) {
    AtomicLong total = new AtomicLong();
    grantedBytes.add(total);
    threads.add(Thread.ofPlatform().start(() -> write(budget, requestBytes, total)));
  }

  /** Lets time pass, from each moment at which one of them wakes to the next. */
  public void run(long nanos) throws InterruptedException {
    for (long leftNanos = nanos; leftNanos > 0; ) {
      clock.awaitAllParked(threads);
      long stepNanos = Math.min(leftNanos, clock.nanosToNextWakeUp());
      clock.advanceNanos(stepNanos);
      leftNanos -= stepNanos;
    }
    clock.awaitAllParked(threads);
  }

  /** What each has been granted, in the order of starting. */
  public List<Long> grantedBytes() {
    return grantedBytes.stream().map(AtomicLong::get).toList();
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // by a test's timeout
    }
  }

  private static void write(ByteBudget budget, long requestBytes, AtomicLong total) {
    try {
      while (true) {
        for (long left = requestBytes; left > 0; ) {
          long granted = budget.acquire(left);
          total.addAndGet(granted);
          left -= granted;
        }
      }
    } catch (InterruptedException e) {
      // Closed: that is how every one of them ends.
    }
  }
}
