package io.weir.interleavings;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Faults that any scheduler of threads must find: one at a class of the JDK, one at a field of
 * ours, one at a wait. A run that does not find them schedules nothing, and says nothing about the
 * others.
 */
final class KnownInterleavings {

  private final AtomicInteger balance = new AtomicInteger(1);
  private volatile int left = 1;
  private volatile boolean open;

  /** Between the look and the withdrawal of one thread the other one withdraws. */
  void lookThenAct_byTwo_goesWrong() throws InterruptedException {
    Actors.Actor withdraw =
        () -> {
          if (balance.get() > 0) {
            balance.decrementAndGet();
          }
        };
    Actors.run(withdraw, withdraw);
    if (balance.get() < 0) {
      throw new AssertionError("the balance is " + balance);
    }
  }

  /** Between the reading and the writing of one thread the other one writes. */
  void readThenWrite_byTwo_losesOne() throws InterruptedException {
    Actors.Actor add = () -> left = left + 1;
    Actors.run(add, add);
    if (left != 3) {
      throw new AssertionError("one of two was lost: " + left);
    }
  }

  /** A wake-up between the look and the wait is lost. */
  void wakeUp_beforeTheWait_isLost() throws InterruptedException {
    Actors.run(
        () -> {
          if (!open) {
            synchronized (this) { // and does not look again
              wait();
            }
          }
        },
        () -> {
          open = true;
          synchronized (this) {
            notifyAll();
          }
        });
  }
}
