package io.weir.store;

import java.time.Duration;
import java.util.Objects;

/**
 * The figures of a {@link ResidentMemory} at one moment.
 *
 * @param bytes bytes held now
 * @param peakBytes maximum held at one time so far
 * @param maxBytes the limit
 * @param refusals requests that were refused; a file that waits for room repeats its request when
 *     there may be room
 * @param reclaims how often a JVM short of heap reclaimed memory
 * @param wastedBytes bytes read for nothing so far, because the heap was short soon after
 * @param backoff how long the process still waits before it reads again; zero if it does not wait
 */
public record ResidentMemorySnapshot(
    long bytes,
    long peakBytes,
    long maxBytes,
    long refusals,
    long reclaims,
    long wastedBytes,
    Duration backoff) {

  /** Refuses nulls. */
  public ResidentMemorySnapshot {
    Objects.requireNonNull(backoff, "backoff");
  }
}
