package io.weir.stress.result;

import java.util.List;

/**
 * Reopens over a threshold, and what they waited for.
 *
 * @param thresholdMillis a reopen that takes as long from its real start is slow
 * @param reopens how many were slow, by the phase in which they were due
 * @param lostSeconds their whole time, from real start to end: what is lost to a slow reopen is all
 *     of it, not what is beyond the threshold
 * @param causes the largest first; their seconds add up to {@code lostSeconds}
 */
public record SlowReopenResult(
    long thresholdMillis,
    Phases<Long> reopens,
    Phases<Double> lostSeconds,
    Phases<List<SlowReopenCause>> causes) {}
