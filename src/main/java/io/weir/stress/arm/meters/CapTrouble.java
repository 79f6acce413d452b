package io.weir.stress.arm.meters;

import java.util.Optional;

/**
 * How a cap was too low for its arm, as Weir's scheduler reports it.
 *
 * @param lifts how often the cap was lifted because merges had piled up, over the whole arm
 * @param shortfall the worst moment at which the cap could not keep up; empty when it always did
 */
public record CapTrouble(long lifts, Optional<Shortfall> shortfall) {

  public static final CapTrouble NONE = new CapTrouble(0, Optional.empty());

  /**
   * Merges had more to write than the cap allows.
   *
   * @param capBytesPerSecond the tightest rate that applied to merges
   * @param demandBytesPerSecond what merges must write in the long run
   * @param enoughBytesPerSecond a cap that would suffice
   */
  public record Shortfall(
      double capBytesPerSecond, double demandBytesPerSecond, double enoughBytesPerSecond) {}
}
