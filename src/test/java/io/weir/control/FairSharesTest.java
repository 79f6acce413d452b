package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.FairShares.Demand;
import io.weir.rate.Rate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class FairSharesTest {

  private static final long ALL = Rate.MAX_BYTES_PER_SECOND;

  @Example
  void of_twoThatWantAll_isHalfEach() {
    assertArrayEquals(new long[] {50, 50}, shares(100, ALL, ALL));
  }

  @Example
  void of_oneThatWantsLittle_leavesTheRestToTheOthers() {
    assertArrayEquals(new long[] {45, 10, 45}, shares(100, ALL, 10, ALL));
  }

  @Example
  void of_thoseThatWantLittle_dividesWhatIsLeftToo() {
    assertArrayEquals(new long[] {50, 50}, shares(100, 10, 10));
  }

  @Example
  void of_weights_dividesByThem() {
    assertArrayEquals(
        new long[] {75, 25}, FairShares.of(100, List.of(new Demand(ALL, 3), new Demand(ALL, 1))));
  }

  /** No more than there is; hardly less; and none is worse off than alone with its weight. */
  @Property(tries = 500)
  void of_anyDemands_givesAllAndToEachItsPart(
      @ForAll @LongRange(min = 1, max = Rate.MAX_BYTES_PER_SECOND) long rate,
      @ForAll @Size(min = 1, max = 32) List<@LongRange(min = 0, max = Rate.MAX_BYTES_PER_SECOND) Long> wanted) {
    List<Demand> demands = new ArrayList<>();
    for (long bytes : wanted) {
      demands.add(new Demand(bytes, 1 + (int) (bytes % 1000)));
    }
    long[] shares = FairShares.of(rate, demands);
    long sum = Arrays.stream(shares).sum();
    long weights = demands.stream().mapToLong(Demand::weight).sum();

    assertTrue(sum <= rate, () -> sum + " of " + rate);
    assertTrue(sum > rate - 2L * shares.length, () -> sum + " of " + rate);
    for (int i = 0; i < shares.length; i++) {
      long part = rate * demands.get(i).weight() / weights;
      long least = Math.min(demands.get(i).bytesPerSecond(), part) - 1;
      assertTrue(shares[i] >= least, Arrays.toString(shares) + demands);
    }
  }

  /** The second asks for more, and for less in relation to its weight: it gets all it asks for. */
  @Example
  void of_aHeavyOneThatIsModest_isServedFirst() {
    assertArrayEquals(
        new long[] {36, 64}, FairShares.of(100, List.of(new Demand(30, 1), new Demand(40, 4))));
  }

  private static long[] shares(long rate, long... wanted) {
    return FairShares.of(rate, Arrays.stream(wanted).mapToObj(w -> new Demand(w, 1)).toList());
  }
}
