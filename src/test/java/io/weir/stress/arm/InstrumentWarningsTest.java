package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.stress.result.InstrumentResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.WarmUpResult;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InstrumentWarningsTest {

  private static final InstrumentResult GOOD =
      new InstrumentResult(Optional.of(0.5), Optional.of(1.0), 950, 50, 1000);
  private static final WarmUpResult UNKNOWN =
      new WarmUpResult(
          1, 1, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  private static final Optional<WarmUpResult> STEADY = Optional.of(warmUp(5, true, 10, 10, 0.7));

  @Test
  void of_aSteadyArmThatWasSampled_isNothing() {
    assertEquals(List.of(), InstrumentWarnings.of(STEADY, GOOD));
    assertEquals(List.of(), InstrumentWarnings.of(Optional.empty(), GOOD));
    assertEquals(List.of(), InstrumentWarnings.of(Optional.of(UNKNOWN), GOOD));
  }

  /** A short arm, in which a few samples were late: no second of it was unseen. */
  @Test
  void of_fewMissedSamples_isNothing() {
    assertEquals(
        List.of(),
        InstrumentWarnings.of(
            STEADY, new InstrumentResult(Optional.empty(), Optional.empty(), 21, 9, 400)));
    assertEquals(
        1,
        InstrumentWarnings.of(
                STEADY, new InstrumentResult(Optional.empty(), Optional.empty(), 21, 10, 400))
            .size());
  }

  @Test
  void of_anUnsteadyWarmup_saysFromWhatToWhat() {
    RunWarning warning =
        InstrumentWarnings.of(Optional.of(warmUp(15, false, 12.34, 8.0, 0.001)), GOOD).get(0);

    assertEquals(
        "reopens were not steady yet after 15 s of warm-up: half of them took 12.3 ms, then 8.0 ms",
        warning.what());
    assertEquals("a longer --warmup than 5 s", warning.remedy());
  }

  @Test
  void of_manyMissedSamplesOrALongGap_saysHowManyAndHowLong() {
    assertEquals(
        "51 of 1000 samples were missed, with gaps of up to 400 ms: a peak of dirty pages in a gap"
            + " was not seen",
        InstrumentWarnings.of(
                STEADY, new InstrumentResult(Optional.empty(), Optional.empty(), 949, 51, 400))
            .get(0)
            .what());
    assertEquals(
        "10 of 1000 samples were missed, with gaps of up to 1001 ms: a peak of dirty pages in a"
            + " gap was not seen",
        InstrumentWarnings.of(
                STEADY, new InstrumentResult(Optional.empty(), Optional.empty(), 990, 10, 1001))
            .get(0)
            .what());
  }

  private static WarmUpResult warmUp(
      double seconds, boolean steady, double earlier, double later, double chance) {
    return new WarmUpResult(
        5,
        seconds,
        Optional.of(steady),
        Optional.of(earlier),
        Optional.of(later),
        Optional.of(chance));
  }
}
