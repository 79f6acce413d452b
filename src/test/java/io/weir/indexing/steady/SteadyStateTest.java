package io.weir.indexing.steady;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.compare.ConfidenceInterval;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadyStateTest {

  private static final double NOISE = 3;

  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void of_aRateThatIsSteadyThroughout_cutsNothing() {
    SteadyState state = steady(level(200, 100, 0));

    assertEquals(new Cuts(0, 200, true), Cuts.of(state));
    assertEquals(100, state.interval().orElseThrow().low(), 0);
    assertEquals(Optional.empty(), state.chance().filter(p -> p < 0.99));
    assertFalse(state.drifts());
  }

  /** A JVM that compiles, then a level, then threads that end one after another. */
  @Test
  void of_aRateWithAStartAndAnEnd_cutsBoth() {
    SteadyState state = steady(join(ramp(40, 10, 90), level(240, 100, 0), ramp(20, 80, 0)));

    assertEquals(new Cuts(40, 280, true), Cuts.of(state));
  }

  @Test
  void of_aNoisyRateWithAStartAndAnEnd_cutsBothOfThem() {
    SteadyState state = steady(join(ramp(40, 10, 80), level(240, 100, NOISE), ramp(20, 60, 0)));

    assertTrue(state.settled());
    assertEquals(40, state.from(), 5, state.toString());
    assertEquals(280, state.to(), 5, state.toString());
    assertEquals(100, (state.earlier() + state.later()) / 2, 1, state.toString());
    ConfidenceInterval interval = state.interval().orElseThrow();
    assertTrue(interval.low() < 100 && 100 < interval.high(), interval.toString());
    assertFalse(state.drifts(), state.toString());
  }

  /** Flushes stop some threads for a moment, over and over: that is the steady state. */
  @Test
  void of_aRateThatDipsOverAndOver_keepsTheDips() {
    double[] rates = level(300, 100, NOISE);
    for (int i = 0; i < rates.length; i += 12) {
      rates[i] = 20;
      rates[i + 1] = 30;
    }

    SteadyState state = steady(rates);

    assertTrue(state.to() - state.from() > 280, state.toString());
    assertFalse(state.drifts(), state.toString());
    assertEquals(
        Arrays.stream(rates).average().orElseThrow(), (state.earlier() + state.later()) / 2, 1);
  }

  /** The rule cuts off the last dip, but not what it paid for: without cycles it says 82.8. */
  @Test
  void of_aRateWithFewLongDips_hasWholeCycles() {
    double[] rates = cycles(6, 80, 20, 0);

    SteadyState state = SteadyState.of(rates, ends(600, 100)).orElseThrow();

    assertEquals(new Cuts(0, 600, true), Cuts.of(state));
    assertEquals(80, (state.earlier() + state.later()) / 2, 1e-9);
    assertEquals(80, state.interval().orElseThrow().low(), 1e-9);
    assertFalse(state.drifts(), state.toString());
    assertEquals(580, steady(rates).to(), "the cut of the rule");
  }

  @Test
  void of_cyclesAfterALateStart_beginsWithTheNextOne() {
    double[] rates = cycles(8, 80, 20, 0);
    Arrays.fill(rates, 0, 40, 0);

    SteadyState state = SteadyState.of(rates, ends(800, 100)).orElseThrow();

    assertEquals(new Cuts(100, 800, true), Cuts.of(state));
    assertEquals(80, state.earlier(), 1e-9);
  }

  @Test
  void of_fewCycles_hasNoInterval() {
    assertEquals(
        Optional.empty(),
        SteadyState.of(cycles(4, 80, 20, NOISE), ends(400, 100)).orElseThrow().interval());
    assertEquals(
        Optional.empty(),
        SteadyState.of(cycles(4, 80, 20, NOISE), new int[0]).orElseThrow().interval());
  }

  @Test
  void of_aRateThatFallsAllTheTime_driftsOrIsNotSettled() {
    double[] rates = ramp(300, 120, 60);
    for (int i = 0; i < rates.length; i++) {
      rates[i] += NOISE * random.nextGaussian();
    }

    SteadyState state = steady(rates);

    assertTrue(!state.settled() || state.drifts(), state.toString());
  }

  @Test
  void of_aRateThatBecomesSteadyInItsLastThird_isNotSettled() {
    SteadyState state = steady(join(ramp(200, 0, 90), level(100, 100, NOISE)));

    assertFalse(state.settled(), state.toString());
  }

  @Test
  void of_aFallByATenthInTheMiddle_isNotSettled() {
    SteadyState state = steady(join(level(150, 100, NOISE), level(150, 90, NOISE)));

    assertFalse(state.settled(), state.toString());
  }

  /**
   * Flushes hide a slow fall from the rule that cuts, and not from the one that compares halves.
   */
  @Test
  void of_aSlowFallBetweenFlushes_drifts() {
    double[] rates = ramp(300, 110, 90);
    for (int i = 7; i < rates.length; i += 15) {
      rates[i] = 20;
    }

    SteadyState state = steady(rates);

    assertTrue(state.settled() && state.drifts(), state.toString());
    assertTrue(state.earlier() > 1.05 * state.later(), state.toString());
  }

  /** How often noise alone is called a drift: less often than the level of its test. */
  @Test
  void drifts_ofNoiseAlone_isRare() {
    int drifting = 0;
    for (int i = 0; i < 500; i++) {
      drifting += steady(level(200, 100, 30)).drifts() ? 1 : 0;
    }

    assertTrue(drifting <= 15, drifting + " of 500");
  }

  /** Real rates repeat with flushes, so that the values of a half depend on each other. */
  @Test
  void drifts_ofNoisyCyclesAlone_isRare() {
    int drifting = 0;
    for (int i = 0; i < 500; i++) {
      int cycles = 3 + i % 7;
      drifting +=
          SteadyState.of(cycles(cycles, 40, 10, 30), ends(50 * cycles, 50)).orElseThrow().drifts()
              ? 1
              : 0;
    }

    assertTrue(drifting <= 15, drifting + " of 500");
  }

  @Test
  void of_tooFewValues_isNothing() {
    int least = SteadyState.LEAST_GROUPS * SteadyState.GROUP;

    assertEquals(Optional.empty(), SteadyState.of(new double[0], new int[] {0}));
    assertEquals(Optional.empty(), SteadyState.of(level(least - 1, 1, 0), new int[] {0}));
    assertTrue(SteadyState.of(level(least, 1, 0), new int[] {0}).isPresent());
  }

  private record Cuts(int from, int to, boolean settled) {
    static Cuts of(SteadyState state) {
      return new Cuts(state.from(), state.to(), state.settled());
    }
  }

  /** Of a rate that repeats nothing: a cycle may end at each value. */
  private static SteadyState steady(double[] rates) {
    return SteadyState.of(rates, ends(rates.length, 1)).orElseThrow();
  }

  private static int[] ends(int count, int each) {
    return IntStream.rangeClosed(0, count / each).map(i -> i * each).toArray();
  }

  /** So many times a level of 100, and then nothing. */
  private double[] cycles(int count, int values, int dip, double noise) {
    double[] all = new double[0];
    for (int i = 0; i < count; i++) {
      all = join(all, level(values, 100, noise), new double[dip]);
    }
    return all;
  }

  private double[] level(int count, double value, double noise) {
    return DoubleStream.generate(() -> value + noise * random.nextGaussian())
        .limit(count)
        .toArray();
  }

  private static double[] ramp(int count, double from, double to) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = from + (to - from) * i / count;
    }
    return values;
  }

  private static double[] join(double[]... parts) {
    return Arrays.stream(parts).flatMapToDouble(Arrays::stream).toArray();
  }
}
