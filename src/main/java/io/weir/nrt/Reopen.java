package io.weir.nrt;

import java.util.Map;
import java.util.OptionalLong;

/**
 * One reopen. Times are nanoseconds on the monitor's clock; only differences are meaningful.
 *
 * @param result how it ended
 * @param intendedNanos when it should have begun, if the caller passed that
 * @param startedNanos when it was called, or, if the monitor did not see the call, when it had the
 *     lock
 * @param visibleNanos when the new searcher became visible; empty if there was none or the time is
 *     unknown
 * @param finishedNanos when the call returned, or, if the monitor did not see that, when its
 *     listener was called
 * @param phaseNanos the duration of each known phase, including the wait for the lock
 */
public record Reopen(
    ReopenResult result,
    OptionalLong intendedNanos,
    long startedNanos,
    OptionalLong visibleNanos,
    long finishedNanos,
    Map<ReopenPhase, Long> phaseNanos) {

  /** Keeps a copy of the phases. */
  public Reopen {
    phaseNanos = Map.copyOf(phaseNanos);
  }

  /** From start to finish. */
  public long totalNanos() {
    return finishedNanos - startedNanos;
  }

  /** From the intended start, or the start, to the finish. */
  public long latencyNanos() {
    return finishedNanos - intendedNanos.orElse(startedNanos);
  }
}
