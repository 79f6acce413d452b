package io.weir.merge;

import io.weir.time.NanoClock;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * Where one merge stands aside, for as long as its {@link MergeYield} says so: in steps, because
 * nobody wakes it, and for at most half of the time since it began, so that readers who never pause
 * cannot keep it from ending.
 *
 * <p><b>Threads:</b> all of the merge's; if several stand aside at once, each one's time counts.
 */
final class YieldPause {

  static final long STEP_NANOS = 2_000_000;

  private final MergeYield yield;
  private final MergeWaitStrategy wait;
  private final BooleanSupplier hurries;
  private final NanoClock clock;
  private final long startedNanos;
  private final LongAdder pausedNanos = new LongAdder();
  private volatile boolean failed;

  /**
   * @param wait in which an abort ends a step at once
   * @param hurries whether the merge may not wait now
   */
  YieldPause(MergeYield yield, MergeWaitStrategy wait, BooleanSupplier hurries, NanoClock clock) {
    this.yield = yield;
    this.wait = wait;
    this.hurries = hurries;
    this.clock = clock;
    this.startedNanos = clock.nanoTime();
  }

  /**
   * Stands aside if it should.
   *
   * @return for how long, in nanoseconds
   */
  long pause() throws InterruptedException {
    if (yield == MergeYield.NEVER) {
      return 0; // every grant comes by here
    }
    long beganNanos = clock.nanoTime();
    long nowNanos = beganNanos;
    long countedNanos = beganNanos;
    while (mayPause(nowNanos) && isToldTo()) {
      wait.await(STEP_NANOS, () -> true);
      nowNanos = clock.nanoTime();
      pausedNanos.add(nowNanos - countedNanos);
      countedNanos = nowNanos;
    }
    return countedNanos - beganNanos;
  }

  /** How long it has stood aside until now. */
  long pausedNanos() {
    return pausedNanos.sum();
  }

  private boolean mayPause(long nowNanos) {
    return !failed
        && !wait.isCancelled()
        && !hurries.getAsBoolean()
        && pausedNanos.sum() + STEP_NANOS <= (nowNanos - startedNanos) / 2;
  }

  private boolean isToldTo() {
    try {
      return yield.standAside();
    } catch (Exception | LinkageError | AssertionError e) {
      failed = true;
      MergeLog.log(
          Level.WARNING, "a merge does not ask again whether to stand aside; it goes on", e);
      return false;
    }
  }
}
