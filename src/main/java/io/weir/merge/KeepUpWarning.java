package io.weir.merge;

import java.time.Duration;

/**
 * Decides when to warn that the cap is too low: once per episode.
 *
 * <p>An episode begins when the demand has exceeded the cap for {@link #SUSTAINED_NANOS}. It also
 * begins when half of the merge slots are in use and the rest will probably fill within {@link
 * #STALL_NEAR}. It ends when the demand is below four fifths of the cap and less than half of the
 * slots are in use. So a demand close to the cap does not repeat the warning.
 *
 * <p><b>Threads:</b> any; guarded by this.
 */
final class KeepUpWarning {

  static final long SUSTAINED_NANOS = 30_000_000_000L;
  static final Duration STALL_NEAR = Duration.ofSeconds(60);

  private static final double CALM = 0.8;

  private boolean warned; // guarded by this
  private boolean exceeding; // guarded by this
  private long exceedingSinceNanos; // guarded by this

  /** Whether to warn now. */
  synchronized boolean isDue(MergeDebtSnapshot debt, long nowNanos) {
    double cap =
        debt.capBytesPerSecond().isPresent()
            ? debt.capBytesPerSecond().getAsLong()
            : Double.POSITIVE_INFINITY;
    boolean crowded =
        debt.runningMerges() > 0
            && debt.mergeSlots().isPresent()
            && 2 * debt.runningMerges() >= debt.mergeSlots().getAsInt();
    if (debt.demandBytesPerSecond() <= cap) {
      exceeding = false;
    } else if (!exceeding) {
      exceeding = true;
      exceedingSinceNanos = nowNanos;
    }
    boolean sustained = exceeding && nowNanos - exceedingSinceNanos >= SUSTAINED_NANOS;
    boolean near =
        crowded && debt.untilStall().filter(left -> left.compareTo(STALL_NEAR) < 0).isPresent();
    if (warned) {
      warned = crowded || debt.demandBytesPerSecond() >= CALM * cap;
      return false;
    }
    warned = sustained || near;
    return warned;
  }
}
