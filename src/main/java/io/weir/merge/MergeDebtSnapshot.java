package io.weir.merge;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Whether merges keep up with indexing, over the last five minutes or less.
 *
 * @param flushedBytesPerSecond bytes of freshly flushed segments that merges take in: F
 * @param writeAmplification bytes that merges are to write for one such byte: W; empty while none
 *     was flushed
 * @param demandBytesPerSecond F x W, what natural and critical merges ask for
 * @param capBytesPerSecond the lowest cap over them, 0 when paused; empty when there is none
 * @param debtBytes still to be written by the merges that run
 * @param runningMerges how many do, critical ones apart
 * @param mergeSlots how many may before indexing stands still
 * @param untilStall when that will be if this goes on; empty when it will not be
 */
public record MergeDebtSnapshot(
    double flushedBytesPerSecond,
    OptionalDouble writeAmplification,
    double demandBytesPerSecond,
    OptionalLong capBytesPerSecond,
    long debtBytes,
    int runningMerges,
    int mergeSlots,
    Optional<Duration> untilStall) {

  private static final double HEADROOM = 1.1;

  /** A cap that would suffice: the demand and a tenth, to pay back the debt. */
  public long sufficientBytesPerSecond() {
    return (long) Math.ceil(demandBytesPerSecond * HEADROOM);
  }

  /** One sentence with the figures. */
  String describe() {
    return "merges cannot keep up: the cap is "
        + capBytesPerSecond.orElse(0)
        + " bytes/s, the demand "
        + Math.round(demandBytesPerSecond)
        + " bytes/s, "
        + debtBytes
        + " bytes are still to be written by "
        + runningMerges
        + " merges of at most "
        + mergeSlots
        + untilStall.map(t -> ", indexing stands still in " + t.toSeconds() + " s").orElse("")
        + "; a cap of "
        + sufficientBytesPerSecond()
        + " bytes/s would suffice";
  }
}
