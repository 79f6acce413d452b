package io.weir.merge;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Whether merges keep up with indexing, over at most the last five minutes.
 *
 * @param flushedBytesPerSecond bytes of freshly flushed segments that merges read: F
 * @param writeAmplification bytes that merges will write for each flushed byte: W; empty while none
 *     was flushed
 * @param demandBytesPerSecond F x W, the demand of natural and critical merges
 * @param capBytesPerSecond the lowest cap that applies to them, 0 when paused; empty when there is
 *     none
 * @param debtBytes bytes that the running merges still have to write
 * @param runningMerges number of running merges, except critical ones
 * @param mergeSlots number of merges at which Lucene stalls indexing; empty if unknown
 * @param untilStall time until that happens at this demand; empty if it will not happen or is
 *     unknown
 * @param observed the time that the figures cover; while it is short, one large merge makes the
 *     demand look huge
 */
public record MergeDebtSnapshot(
    double flushedBytesPerSecond,
    OptionalDouble writeAmplification,
    double demandBytesPerSecond,
    OptionalLong capBytesPerSecond,
    long debtBytes,
    int runningMerges,
    OptionalInt mergeSlots,
    Optional<Duration> untilStall,
    Duration observed) {

  private static final double HEADROOM = 1.1;

  /** A cap that would suffice: the demand plus a tenth, to reduce the debt. */
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
        + " bytes remain to be written by "
        + runningMerges
        + " merges"
        + mergeSlotsInWords()
        + untilStall.map(t -> ", indexing stalls in " + t.toSeconds() + " s").orElse("")
        + "; a cap of "
        + sufficientBytesPerSecond()
        + " bytes/s would suffice";
  }

  private String mergeSlotsInWords() {
    return mergeSlots.isPresent() ? " (of at most " + mergeSlots.getAsInt() + ")" : "";
  }
}
