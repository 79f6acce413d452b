package io.weir.merge;

import io.weir.time.NanoClock;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * Pauses one merge for as long as its {@link MergeYield} asks for it, or a commit is about to
 * finish. It pauses in steps, because no one wakes it, and for at most half of the time since it
 * began, so that constant reads cannot keep it from ending.
 *
 * <p><b>Threads:</b> those of the merge; if several pause at once, the time of each counts.
 */
final class YieldPause {

  static final long STEP_NANOS = 2_000_000;

  private final MergeYield yield;
  private final MergeWaitStrategy wait;
  private final BooleanSupplier hurries;
  private final BooleanSupplier commits;
  private final NanoClock clock;
  private final long startedNanos;
  private final LongAdder pausedNanos = new LongAdder();
  private volatile boolean failed;

  /**
   * @param wait the wait for each step; an abort ends it at once
   * @param hurries whether the merge must not wait now
   * @param commits whether a commit is about to finish
   */
  YieldPause(
      MergeYield yield,
      MergeWaitStrategy wait,
      BooleanSupplier hurries,
      BooleanSupplier commits,
      NanoClock clock) {
    this.yield = yield;
    this.wait = wait;
    this.hurries = hurries;
    this.commits = commits;
    this.clock = clock;
    this.startedNanos = clock.nanoTime();
  }

  /**
   * Pauses while the yield asks for it, or a commit is about to finish.
   *
   * @return the duration of the pause, in nanoseconds
   */
  long pause() throws InterruptedException {
    if (yield == MergeYield.NEVER) {
      return 0; // every grant calls this
    }
    long beganNanos = clock.nanoTime();
    long nowNanos = beganNanos;
    long countedNanos = beganNanos;
    while (mayPause(nowNanos) && (shouldYield() || commits.getAsBoolean())) {
      wait.await(STEP_NANOS, () -> true);
      nowNanos = clock.nanoTime();
      pausedNanos.add(nowNanos - countedNanos);
      countedNanos = nowNanos;
    }
    return countedNanos - beganNanos;
  }

  /** The time paused so far. */
  long pausedNanos() {
    return pausedNanos.sum();
  }

  private boolean mayPause(long nowNanos) {
    return !failed
        && !wait.isCancelled()
        && !hurries.getAsBoolean()
        && pausedNanos.sum() + STEP_NANOS <= (nowNanos - startedNanos) / 2;
  }

  private boolean shouldYield() {
    try {
      return yield.standAside();
    } catch (Throwable e) {
      failed = true;
      MergeLog.log(Level.WARNING, "a merge yield failed; the merge goes on without it", e);
      return false;
    }
  }
}
