package io.weir.merge;

import io.weir.merge.MergeReadMeter.Counter;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the threads of one merge have read from storage, and how much of it is not yet charged.
 *
 * <p><b>Threads:</b> any; those of the merge say when they begin and end. <b>Failure:</b> no method
 * throws. After a failure, which is logged, the merge's reads are unknown and no longer charged.
 */
final class MergeReadAccount {

  /** A look costs a system call for each thread of the merge. */
  static final long LOOK_NANOS = 1_000_000;

  private final MergeReadMeter meter;
  private final NanoClock clock;
  private final Map<Thread, Counter> counters = new HashMap<>(); // guarded by this, as all below
  private long nextLookNanos;
  private long uncharged;
  private long total;
  private boolean known;
  private boolean failed;

  MergeReadAccount(MergeReadMeter meter, NanoClock clock) {
    this.meter = meter;
    this.clock = clock;
    this.nextLookNanos = clock.nanoTime();
  }

  /**
   * The calling thread works for the merge, until {@link #ends}.
   *
   * @return false if it does so already: it will end later
   */
  synchronized boolean begins() {
    if (counters.containsKey(Thread.currentThread())) {
      return false;
    }
    guard(
        () -> {
          Optional<Counter> counter = meter.ofCallingThread();
          known |= counter.isPresent();
          counter.ifPresent(c -> counters.put(Thread.currentThread(), c));
        });
    return true;
  }

  /** A thread no longer works for the merge. */
  synchronized void ends(Thread thread) {
    guard(
        () -> {
          Counter counter = counters.remove(thread);
          if (counter != null) {
            try (counter) {
              look(thread, counter);
            }
          }
        });
  }

  /** The bytes that are to be charged now; 0 if the last look was a moment ago. */
  synchronized long take() {
    if (counters.isEmpty() && uncharged == 0) {
      return 0;
    }
    long nowNanos = clock.nanoTime();
    if (nowNanos - nextLookNanos >= 0) {
      guard(() -> counters.forEach(this::look));
      nextLookNanos = clock.nanoTime() + LOOK_NANOS;
    }
    long taken = uncharged;
    uncharged = 0;
    return taken;
  }

  /** The bytes read so far; empty if they are not counted. */
  synchronized OptionalLong total() {
    return known && !failed ? OptionalLong.of(total) : OptionalLong.empty();
  }

  private void look(Thread thread, Counter counter) {
    try {
      long bytes = counter.bytesSinceLast();
      total += bytes;
      uncharged += bytes;
    } catch (RuntimeException e) {
      if (thread.isAlive()) { // else the kernel has forgotten what it read last
        throw e;
      }
    }
  }

  private void guard(Runnable step) {
    if (failed) {
      return;
    }
    try {
      step.run();
    } catch (Throwable e) {
      failed = true;
      counters.values().forEach(MergeReadAccount::closeQuietly);
      counters.clear();
      uncharged = 0;
      OnceLog.write(
          MergeReadAccount.class,
          Level.WARNING,
          "what a merge reads cannot be counted; it is not charged",
          e);
    }
  }

  private static void closeQuietly(Counter counter) {
    try {
      counter.close();
    } catch (Throwable e) {
      // The failure that led here is logged.
    }
  }
}
