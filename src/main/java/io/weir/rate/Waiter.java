package io.weir.rate;

/** One thread in the queue of a {@link ByteBudget}; a record of what it asked for. */
final class Waiter {

  final Thread thread;
  final long maxBytes;
  final long sinceNanos;

  /** 0 until granted; written under the budget's lock. */
  volatile long grantedBytes;

  Waiter(Thread thread, long maxBytes, long sinceNanos) {
    this.thread = thread;
    this.maxBytes = maxBytes;
    this.sinceNanos = sinceNanos;
  }
}
