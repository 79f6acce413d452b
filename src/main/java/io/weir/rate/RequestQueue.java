package io.weir.rate;

import java.util.ArrayDeque;

/**
 * The requests that threads make to one budget directly, in order of arrival.
 *
 * <p><b>Threads:</b> guarded by the lock of the {@link BudgetTree}.
 */
final class RequestQueue extends Flow<BudgetNode> {

  private static final int WEIGHT = 1;

  final BudgetNode node;
  final ArrayDeque<Request> requests = new ArrayDeque<>();

  RequestQueue(BudgetNode node) {
    super(WEIGHT);
    this.node = node;
  }

  @Override
  BudgetNode server() {
    return node;
  }

  @Override
  boolean isBacklogged() {
    return !requests.isEmpty();
  }

  /** One thread's request for bytes, and what it was granted. */
  static final class Request {

    final RequestQueue queue;
    final long maxBytes;
    final WaitStrategy strategy;
    final Thread thread = Thread.currentThread();
    final long sinceNanos;

    /** Whether the thread had to wait; guarded by the lock. */
    boolean delayed;

    /** 0 until granted; written under the lock. */
    private volatile long grantedBytes;

    /** Set by any thread that has news; cleared under the lock before this thread looks again. */
    private volatile boolean signalled;

    Request(RequestQueue queue, long maxBytes, WaitStrategy strategy, long sinceNanos) {
      this.queue = queue;
      this.maxBytes = maxBytes;
      this.strategy = strategy;
      this.sinceNanos = sinceNanos;
    }

    /** The budget that the bytes are asked from. */
    BudgetNode node() {
      return queue.node;
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
      return grantedBytes == 0 && !signalled;
    }

    void clearSignal() {
      signalled = false;
    }

    /** Ends the current wait of the thread, or the next one. */
    void signal() {
      signalled = true;
      if (thread != Thread.currentThread()) {
        strategy.wakeUp(thread);
      }
    }
  }
}
