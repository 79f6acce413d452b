package io.weir.rate;

/** One thread in the queue of a budget; a record of what it asked for and of what became of it. */
final class Waiter {

  final BudgetNode node;
  final long maxBytes;
  final WaitStrategy strategy;
  final Thread thread = Thread.currentThread();
  final long sinceNanos;

  /** Whether it had to wait; guarded by the lock. */
  boolean delayed;

  /** 0 until granted; written under the lock. */
  private volatile long grantedBytes;

  /** Set by who has news for it, cleared under the lock by itself before it looks for them. */
  private volatile boolean called;

  Waiter(BudgetNode node, long maxBytes, WaitStrategy strategy, long sinceNanos) {
    this.node = node;
    this.maxBytes = maxBytes;
    this.strategy = strategy;
    this.sinceNanos = sinceNanos;
  }

  long grantedBytes() {
    return grantedBytes;
  }

  boolean isGranted() {
    return grantedBytes > 0;
  }

  void grant(long bytes) {
    grantedBytes = bytes;
  }

  boolean isStillWaiting() {
    return grantedBytes == 0 && !called;
  }

  void listen() {
    called = false;
  }

  /** Ends its wait, or the next one. */
  void call() {
    called = true;
    if (thread != Thread.currentThread()) {
      strategy.wakeUp(thread);
    }
  }
}
