package io.weir.report;

import java.util.OptionalLong;

/**
 * One line of {@code reopens.csv}. Times are nanoseconds since the arm's measuring began.
 *
 * @param finishedNanos empty when the reopen never returned
 * @param failed true when its result is {@code failed} or when it never returned
 */
record ReopenRow(String phase, long intendedNanos, OptionalLong finishedNanos, boolean failed) {

  /** From the intended start until the call returned; empty when it never did. */
  OptionalLong latencyNanos() {
    return finishedNanos.isPresent()
        ? OptionalLong.of(finishedNanos.getAsLong() - intendedNanos)
        : OptionalLong.empty();
  }
}
