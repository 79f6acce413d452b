package io.weir.stress.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * In which order a round runs what each round runs: shuffled, and each second round in the reverse
 * of the one before. So nothing is always first, nothing always finds what the same other thing
 * left behind, and in an even number of rounds each pair comes in both orders equally often.
 */
public final class RoundOrder {

  private RoundOrder() {}

  /**
   * The order of one round; the same seed and round give the same.
   *
   * @param round from 1 on
   */
  public static <T> List<T> of(List<T> items, long seed, int round) {
    int pair = (round - 1) / 2;
    List<T> order = new ArrayList<>(items);
    // Not Random: with seeds near each other its first choices between two are all the same.
    Collections.shuffle(order, random(seed, pair));
    return round % 2 == 0 ? order.reversed() : order;
  }

  private static SplittableRandom random(long seed, int pair) {
    return new SplittableRandom(new SplittableRandom(seed).nextLong() + pair);
  }
}
