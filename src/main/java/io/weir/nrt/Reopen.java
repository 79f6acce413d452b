package io.weir.nrt;

import java.util.Map;
import java.util.OptionalLong;

/**
 * One reopen. Times are nanoseconds on the monitor's clock; only differences mean anything.
 *
 * @param result how it ended
 * @param intendedNanos when it should have begun, if the caller said so
 * @param startedNanos when it was asked for, or, where the monitor did not see that, when it had
 *     the lock
 * @param visibleNanos when the new searcher could be acquired; empty if there was none or the
 *     moment is not known
 * @param finishedNanos when the call returned, or, where the monitor did not see that, when its
 *     listener was told
 * @param phaseNanos how long each known phase took, the wait for the lock among them
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
