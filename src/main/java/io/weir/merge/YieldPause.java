package io.weir.merge;

import io.weir.rate.WaitStrategy;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Pauses one merge for as long as its {@link MergeYield} asks for it, or a commit is about to
 * finish. It pauses in steps, because no one wakes it, and for at most half of the time, so that
 * constant reads cannot keep it from ending.
 *
 * <p>Quiet time earns {@link Credit} for later pauses, but not more than a second of it. So a merge
 * never stands for longer than that, however long it has run.
 *
 * <p><b>Threads:</b> those of the merge.
 */
final class YieldPause {

  static final long STEP_NANOS = 2_000_000;

  private final MergeYield yield;
  private final WaitStrategy wait;
  private final BooleanSupplier hurries;
  private final BooleanSupplier commits;
  private final NanoClock clock;
  private final Credit credit;
  private long yieldedNanos; // guarded by this
  private volatile boolean failed;

  /**
   * @param wait the wait for each step; an abort ends it at once
   * @param hurries whether the merge must not wait now
   * @param commits whether a commit is about to finish
   */
  YieldPause(
      MergeYield yield,
      WaitStrategy wait,
      BooleanSupplier hurries,
      BooleanSupplier commits,
      NanoClock clock) {
    this.yield = yield;
    this.wait = wait;
    this.hurries = hurries;
    this.commits = commits;
    this.clock = clock;
    this.credit = new Credit(clock.nanoTime());
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
    while (mayPause(nowNanos) && (shouldYield() || commits.getAsBoolean())) {
      nowNanos = step(nowNanos);
    }
    return nowNanos - beganNanos;
  }

  /** The time yielded so far; if several threads pause at once, the time of each counts. */
  synchronized long yieldedNanos() {
    return yieldedNanos;
  }

  /** Returns the time at its end. */
  private long step(long sinceNanos) throws InterruptedException {
    credit.begins(sinceNanos);
    long nowNanos;
    try {
      wait.await(STEP_NANOS, () -> true);
    } finally {
      nowNanos = clock.nanoTime();
      credit.ends(nowNanos);
      synchronized (this) {
        yieldedNanos += nowNanos - sinceNanos;
      }
    }
    return nowNanos;
  }

  private boolean mayPause(long nowNanos) {
    return !failed && !wait.isCancelled() && !hurries.getAsBoolean() && credit.allowsStep(nowNanos);
  }

  private boolean shouldYield() {
    try {
      return yield.standAside();
    } catch (Throwable e) {
      failed = true;
      OnceLog.write(
          YieldPause.class, Level.WARNING, "a merge yield failed; the merge goes on without it", e);
      return false;
    }
  }

  /**
   * The pauses that a merge has earned: pure arithmetic, in nanoseconds of one clock.
   *
   * <p>Each nanosecond in which no thread of the merge pauses earns one of pause, and each in which
   * some do costs one: the merge stands once, however many of its threads stand. So of any window,
   * it pauses for at most half, and half of {@link #MOST_NANOS}.
   *
   * <p><b>Threads:</b> any. Of two times that race, the earlier one changes nothing.
   */
  static final class Credit {

    /** Saved at most, and so about the longest pause. */
    static final long MOST_NANOS = Duration.ofSeconds(1).toNanos();

    private long earnedNanos; // guarded by this, as all below
    private long asOfNanos;
    private int pausing;

    Credit(long nowNanos) {
      this.asOfNanos = nowNanos;
    }

    /** Whether a thread may pause for a step: half of the time until its end is still unused. */
    synchronized boolean allowsStep(long nowNanos) {
      advance(nowNanos);
      return earnedNanos >= 2 * STEP_NANOS;
    }

    /** A thread pauses, until {@link #ends}. */
    synchronized void begins(long nowNanos) {
      advance(nowNanos);
      pausing++;
    }

    synchronized void ends(long nowNanos) {
      advance(nowNanos);
      pausing--;
    }

    private void advance(long nowNanos) {
      long elapsedNanos = nowNanos - asOfNanos;
      if (elapsedNanos > 0) {
        asOfNanos = nowNanos;
        earnedNanos =
            Math.min(MOST_NANOS, earnedNanos + (pausing > 0 ? -elapsedNanos : elapsedNanos));
      }
    }
  }
}
