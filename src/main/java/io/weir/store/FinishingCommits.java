package io.weir.store;

import io.weir.time.NanoClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The commits of this process that are about to finish under the lock of their writer.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one entry per directory, until its commit
 * has finished or the directory is closed.
 */
final class FinishingCommits {

  /** After so long a commit no longer counts; an application may finish it when it likes. */
  static final long LONGEST_MILLIS = 250;

  static final FinishingCommits PROCESS = new FinishingCommits(NanoClock.SYSTEM);

  private final Map<Object, Long> beganNanos = new ConcurrentHashMap<>();
  private final NanoClock clock;

  FinishingCommits(NanoClock clock) {
    this.clock = clock;
  }

  /** A commit of this directory is about to finish; its time begins anew. */
  void begins(Object directory) {
    beganNanos.put(directory, clock.nanoTime());
  }

  /** The commit of this directory has finished or failed; no effect if there is none. */
  void ended(Object directory) {
    beganNanos.remove(directory);
  }

  /** Whether one is about to finish now. */
  boolean any() {
    if (beganNanos.isEmpty()) {
      return false; // merges ask thousands of times a second
    }
    long nowNanos = clock.nanoTime();
    return beganNanos.values().stream()
        .anyMatch(began -> nowNanos - began < LONGEST_MILLIS * 1_000_000);
  }
}
