package io.weir.indexing.steady;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SteadyStateTest {

  private static final double NOISE = 3;

  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void of_aRateThatIsSteadyThroughout_cutsNothing() {
    SteadyState state = SteadyState.of(level(200, 100, 0)).orElseThrow();

    assertEquals(new Cuts(0, 200, true), Cuts.of(state));
    assertEquals(100, state.mean(), 0);
    assertEquals(100, state.interval().low(), 0);
    assertEquals(Optional.empty(), state.chance().filter(p -> p < 0.99));
    assertFalse(state.drifts());
  }

  /** A JVM that compiles, then a level, then threads that end one after another. */
  @Test
  void of_aRateWithAStartAndAnEnd_cutsBoth() {
    SteadyState state =
        SteadyState.of(join(ramp(40, 10, 90), level(240, 100, 0), ramp(20, 80, 0))).orElseThrow();

    assertEquals(new Cuts(40, 280, true), Cuts.of(state));
    assertEquals(100, state.mean(), 0);
  }

  @Test
  void of_aNoisyRateWithAStartAndAnEnd_cutsBothOfThem() {
    SteadyState state =
        SteadyState.of(join(ramp(40, 10, 80), level(240, 100, NOISE), ramp(20, 60, 0)))
            .orElseThrow();

    assertTrue(state.settled());
    assertEquals(40, state.from(), 5, state.toString());
    assertEquals(280, state.to(), 5, state.toString());
    assertEquals(100, state.mean(), 1, state.toString());
    assertTrue(
        state.interval().low() < 100 && 100 < state.interval().high(), state.interval().toString());
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

    SteadyState state = SteadyState.of(rates).orElseThrow();

    assertTrue(state.to() - state.from() > 280, state.toString());
    assertFalse(state.drifts(), state.toString());
    assertEquals(Arrays.stream(rates).average().orElseThrow(), state.mean(), 1);
  }

  @Test
  void of_aRateThatFallsAllTheTime_driftsOrIsNotSettled() {
    double[] rates = ramp(300, 120, 60);
    for (int i = 0; i < rates.length; i++) {
      rates[i] += NOISE * random.nextGaussian();
    }

    SteadyState state = SteadyState.of(rates).orElseThrow();

    assertTrue(!state.settled() || state.drifts(), state.toString());
  }

  @Test
  void of_aRateThatBecomesSteadyInItsLastThird_isNotSettled() {
    SteadyState state =
        SteadyState.of(join(ramp(200, 0, 90), level(100, 100, NOISE))).orElseThrow();

    assertFalse(state.settled(), state.toString());
  }

  @Test
  void of_aFallByATenthInTheMiddle_isNotSettled() {
    SteadyState state =
        SteadyState.of(join(level(150, 100, NOISE), level(150, 90, NOISE))).orElseThrow();

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

    SteadyState state = SteadyState.of(rates).orElseThrow();

    assertTrue(state.settled() && state.drifts(), state.toString());
    assertTrue(state.earlier() > 1.05 * state.later(), state.toString());
  }

  /** How often noise alone is called a drift: less often than the level of its test. */
  @Test
  void drifts_ofNoiseAlone_isRare() {
    int drifting = 0;
    for (int i = 0; i < 500; i++) {
      drifting += SteadyState.of(level(200, 100, 30)).orElseThrow().drifts() ? 1 : 0;
    }

    assertTrue(drifting <= 15, drifting + " of 500");
  }

  @Test
  void of_tooFewValues_isNothing() {
    int least = SteadyState.LEAST_GROUPS * SteadyState.GROUP;

    assertEquals(Optional.empty(), SteadyState.of(new double[0]));
    assertEquals(Optional.empty(), SteadyState.of(level(least - 1, 1, 0)));
    assertTrue(SteadyState.of(level(least, 1, 0)).isPresent());
  }

  private record Cuts(int from, int to, boolean settled) {
    static Cuts of(SteadyState state) {
      return new Cuts(state.from(), state.to(), state.settled());
    }
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
