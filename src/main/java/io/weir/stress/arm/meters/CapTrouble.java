package io.weir.stress.arm.meters;

/**
 * Where a cap was too low for its arm, as Weir's scheduler tells it.
 *
 * @param lifts how often the cap was lifted because merges had piled up, over the whole arm
 * @param shortfall the worst moment at which the cap could not keep up; null when there was none
 */
public record CapTrouble(long lifts, Shortfall shortfall) {

  public static final CapTrouble NONE = new CapTrouble(0, null);

  /**
   * More to write than the cap lets pass.
   *
   * @param capBytesPerSecond the tightest rate in force on the way of the merges
   * @param demandBytesPerSecond what merges would have to write, in the long run
   * @param enoughBytesPerSecond a cap that would have sufficed
   */
  public record Shortfall(
      double capBytesPerSecond, double demandBytesPerSecond, double enoughBytesPerSecond) {}
}
