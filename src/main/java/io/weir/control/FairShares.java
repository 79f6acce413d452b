package io.weir.control;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Divides a rate: no one gets more than it wants while another gets less than its share by weight
 * (max-min fairness). What all together leave over is divided by weight too, so that each can begin
 * to use it at once.
 *
 * <p>A pure function. The shares add up to at most the rate.
 */
final class FairShares {

  /**
   * One that competes.
   *
   * @param bytesPerSecond what it could use
   * @param weight relative to the others
   */
  record Demand(long bytesPerSecond, int weight) {}

  private FairShares() {}

  /** The share of each, in bytes per second, in the same order. */
  static long[] of(long bytesPerSecond, List<Demand> demands) {
    long[] shares = new long[demands.size()];
    long left = bytesPerSecond;
    long weightLeft = demands.stream().mapToLong(Demand::weight).sum();
    List<Integer> modestFirst =
        IntStream.range(0, shares.length)
            .boxed()
            .sorted(
                Comparator.comparingDouble(
                    i -> (double) demands.get(i).bytesPerSecond() / demands.get(i).weight()))
            .toList();
    for (int i : modestFirst) {
      Demand demand = demands.get(i);
      shares[i] = Math.min(demand.bytesPerSecond(), left * demand.weight() / weightLeft);
      left -= shares[i];
      weightLeft -= demand.weight();
    }
    long weights = demands.stream().mapToLong(Demand::weight).sum();
    long over = bytesPerSecond - Arrays.stream(shares).sum();
    for (int i = 0; i < shares.length; i++) {
      shares[i] += over * demands.get(i).weight() / weights;
    }
    return shares;
  }
}
