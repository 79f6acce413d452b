package io.weir.store;

import io.weir.time.NanoClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The commits that are about to finish on one {@link Disk}, under the lock of their writer. A
 * commit belongs to its directory, which alone begins and ends it.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one entry per directory, until its commit
 * has finished, or a later one begins after it no longer counts.
 */
final class FinishingCommits {

  /** After so long a commit no longer counts; an application may finish it when it likes. */
  static final long LONGEST_MILLIS = 250;

  private final Map<Object, Long> beganNanos = new ConcurrentHashMap<>();
  private final NanoClock clock;

  FinishingCommits(NanoClock clock) {
    this.clock = clock;
  }

  /** This commit is about to finish; its time begins anew. */
  void begins(Object commit) {
    long nowNanos = clock.nanoTime();
    beganNanos.values().removeIf(began -> !counts(began, nowNanos));
    beganNanos.put(commit, nowNanos);
  }

  /** The commit has finished or failed; no effect if there is none. */
  void ended(Object commit) {
    beganNanos.remove(commit);
  }

  /** Whether one is about to finish now. */
  boolean any() {
    if (beganNanos.isEmpty()) {
      return false; // merges ask thousands of times a second
    }
    long nowNanos = clock.nanoTime();
    return beganNanos.values().stream().anyMatch(began -> counts(began, nowNanos));
  }

  private static boolean counts(long beganNanos, long nowNanos) {
    return nowNanos - beganNanos < LONGEST_MILLIS * 1_000_000;
  }
}
