package io.weir.merge;

import io.weir.rate.BudgetListener;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.ProcessorShare;
import io.weir.rate.WaitStrategy;
import io.weir.store.MergeGrants;
import io.weir.time.NanoClock;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * What the threads of one merge have used of a {@link ProcessorShare}, and how much of it is not
 * yet paid.
 *
 * <p>Each thread pays for all: it takes what is due, and waits for it. Meanwhile the others go on,
 * until they pay for what was used since.
 *
 * <p><b>Threads:</b> those of the merge, and any that read its figures. <b>Failure:</b> an
 * interrupt ends a wait, and forgives what was due in it.
 */
final class ProcessorAccount {

  /** A look costs a system call for each thread of the merge. */
  static final long LOOK_NANOS = 2_000_000;

  private final MergeProcessorTime used;
  private final ByteBudget own;
  private final MergeGrants grants;
  private final NanoClock clock;
  private volatile long nextLookNanos;
  private long takenMicros; // guarded by this

  /**
   * Pays from now on.
   *
   * @param own of the merge, in microseconds
   * @param wait how it waits
   * @param listener hears of the waits
   */
  ProcessorAccount(
      MergeProcessorTime used,
      ByteBudget own,
      WaitStrategy wait,
      BudgetListener listener,
      NanoClock clock) {
    this.used = used;
    this.own = own;
    this.grants = new MergeGrants(own, wait);
    this.clock = clock;
    this.nextLookNanos = clock.nanoTime();
    own.addListener(listener);
  }

  /** Waits for what is due, unless it was paid a moment ago. */
  void pay() throws InterruptedException {
    long nowNanos = clock.nanoTime();
    if (nowNanos - nextLookNanos < 0) {
      return;
    }
    nextLookNanos = nowNanos + LOOK_NANOS;
    for (long due = take(); due > 0; ) {
      OptionalLong granted = grants.grant(due);
      if (granted.isEmpty()) { // it is on its way out
        own.debit(due);
        return;
      }
      if (granted.getAsLong() == 0) { // it was aborted
        return;
      }
      due -= granted.getAsLong();
    }
  }

  /** The merge ends: what is due becomes a debt. */
  void end() {
    release();
    long due = take();
    if (due > 0) {
      own.debit(due);
    }
  }

  /** Ends all waiting. */
  void release() {
    own.setPacing(Pacing.DEBITED);
  }

  /** How long its threads have waited, those that wait now included. */
  long waitNanos() {
    return own.snapshot().waitNanos();
  }

  private synchronized long take() {
    long micros = TimeUnit.NANOSECONDS.toMicros(used.totalNanos().orElse(0));
    long due = Math.max(0, micros - takenMicros);
    takenMicros += due;
    return due;
  }
}
