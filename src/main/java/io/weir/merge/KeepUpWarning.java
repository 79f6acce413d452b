package io.weir.merge;

import java.time.Duration;

/**
 * When it is time to say that the cap is too low: the decision, once in an episode.
 *
 * <p>An episode begins when the demand has exceeded the cap for {@link #SUSTAINED_NANOS}, or when
 * half of the merge slots are in use and the rest will be within {@link #STALL_NEAR}. It ends when
 * the demand is under four fifths of the cap and less than half of the slots are in use, so that a
 * demand about as high as the cap is not told again and again.
 *
 * <p><b>Threads:</b> any; guarded by this.
 */
final class KeepUpWarning {

  static final long SUSTAINED_NANOS = 30_000_000_000L;
  static final Duration STALL_NEAR = Duration.ofSeconds(60);

  private static final double CALM = 0.8;

  private boolean told; // guarded by this
  private boolean exceeding; // guarded by this
  private long exceedingSinceNanos; // guarded by this

  /** Whether to say so now. */
  synchronized boolean isDue(MergeDebtSnapshot debt, long nowNanos) {
    double cap =
        debt.capBytesPerSecond().isPresent()
            ? debt.capBytesPerSecond().getAsLong()
            : Double.POSITIVE_INFINITY;
    boolean crowded = debt.runningMerges() > 0 && 2 * debt.runningMerges() >= debt.mergeSlots();
    if (debt.demandBytesPerSecond() <= cap) {
      exceeding = false;
    } else if (!exceeding) {
      exceeding = true;
      exceedingSinceNanos = nowNanos;
    }
    boolean sustained = exceeding && nowNanos - exceedingSinceNanos >= SUSTAINED_NANOS;
    boolean near =
        crowded && debt.untilStall().filter(left -> left.compareTo(STALL_NEAR) < 0).isPresent();
    if (told) {
      told = crowded || debt.demandBytesPerSecond() >= CALM * cap;
      return false;
    }
    told = sustained || near;
    return told;
  }
}
