package io.weir.stress.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundOrderTest {

  private static final List<String> TWO = List.of("a", "b");
  private static final List<String> THREE = List.of("a", "b", "c");

  /**
   * The bug: of two arms the first one was first in each round, whatever the seed, because {@code
   * java.util.Random} begins alike with seeds near each other.
   */
  @Test
  void of_twoThings_bringsEachFirstEquallyOften() {
    for (long seed = 0; seed < 100; seed++) {
      for (int rounds = 2; rounds <= 20; rounds += 2) {
        long first = 0;
        for (int round = 1; round <= rounds; round++) {
          first += RoundOrder.of(TWO, seed, round).equals(TWO) ? 1 : 0;
        }
        assertEquals(rounds / 2, first, "seed " + seed);
      }
    }
  }

  @Test
  void of_anOddRound_isEitherWayAboutAsOften_overRoundsAndOverSeeds() {
    long overRounds =
        IntStream.range(0, 1000).filter(i -> RoundOrder.of(TWO, 1, 2 * i + 1).equals(TWO)).count();
    long overSeeds =
        IntStream.range(0, 1000).filter(seed -> RoundOrder.of(TWO, seed, 1).equals(TWO)).count();
    // Of 1000 throws of a coin, less than one time in a million.
    assertTrue(overRounds > 420 && overRounds < 580, "" + overRounds);
    assertTrue(overSeeds > 420 && overSeeds < 580, "" + overSeeds);
  }

  @Test
  void of_threeThings_hasAllOrders_andTheReverseInEachSecondRound() {
    Map<List<String>, Integer> orders = new HashMap<>();
    for (int round = 1; round <= 1000; round++) {
      List<String> order = RoundOrder.of(THREE, 1, round);
      assertEquals(order, RoundOrder.of(THREE, 1, round), "the same again");
      if (round % 2 == 0) {
        assertEquals(RoundOrder.of(THREE, 1, round - 1).reversed(), order);
      }
      orders.merge(order, 1, Integer::sum);
    }
    assertEquals(6, orders.size());
    orders.values().forEach(times -> assertTrue(times > 100 && times < 240, orders::toString));
    assertNotEquals(
        IntStream.range(1, 20).mapToObj(round -> RoundOrder.of(THREE, 1, round)).toList(),
        IntStream.range(1, 20).mapToObj(round -> RoundOrder.of(THREE, 2, round)).toList());
  }
}
