package io.weir.stress.arm.meters;

import java.util.Optional;

/**
 * All that counts an arm's merges.
 *
 * @param meter below everything else, in every arm
 * @param throttle Weir's own counters; empty with {@code preset=stock}
 */
public record MergeCounters(MergeMeter meter, Optional<MergeThrottle> throttle) {

  /** Where the cap was too low so far; nowhere without a cap. */
  public CapTrouble capTrouble() {
    return throttle.map(weir -> weir.trouble().trouble()).orElse(CapTrouble.NONE);
  }
}
