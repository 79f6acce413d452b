package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.ArmFigures;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstrumentWarningsTest {

  private static final Values UNKNOWN = Values.NONE;
  private static final Values STEADY = warmUp(5, true, 10, 10);

  @Test
  void of_aSteadyArmThatWasSampled_isNothing() {
    assertEquals(List.of(), warnings(STEADY, 950, 50, 1000));
    assertEquals(List.of(), warnings(UNKNOWN, 950, 50, 1000));
    assertEquals(
        List.of(),
        warnings(
            Values.builder()
                .put(ArmFigures.WARM_UP_ASKED, 1.0)
                .put(ArmFigures.WARM_UP_SECONDS, 1.0)
                .build(),
            950,
            50,
            1000));
  }

  /** A short arm, in which a few samples were late: no second of it was unseen. */
  @Test
  void of_fewMissedSamples_isNothing() {
    assertEquals(List.of(), warnings(STEADY, 21, 9, 400));
    assertEquals(1, warnings(STEADY, 21, 10, 400).size());
  }

  @Test
  void of_anUnsteadyWarmup_saysFromWhatToWhat() {
    RunWarning warning = warnings(warmUp(15, false, 12.34, 8.0), 950, 50, 1000).get(0);

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
        warnings(STEADY, 949, 51, 400).get(0).what());
    assertEquals(
        "10 of 1000 samples were missed, with gaps of up to 1001 ms: a peak of dirty pages in a"
            + " gap was not seen",
        warnings(STEADY, 990, 10, 1001).get(0).what());
  }

  private static List<RunWarning> warnings(
      Values warmUp, long samples, long missed, double gapMillis) {
    return ArmWarnings.ofInstruments(
        Values.builder()
            .put(warmUp)
            .put(ArmFigures.SAMPLES, samples)
            .put(ArmFigures.MISSED_SAMPLES, missed)
            .put(ArmFigures.LONGEST_GAP, gapMillis)
            .build());
  }

  private static Values warmUp(double seconds, boolean steady, double earlier, double later) {
    return Values.builder()
        .put(ArmFigures.WARM_UP_ASKED, 5.0)
        .put(ArmFigures.WARM_UP_SECONDS, seconds)
        .put(ArmFigures.WARM_UP_STEADY, steady)
        .put(ArmFigures.WARM_UP_EARLIER, earlier)
        .put(ArmFigures.WARM_UP_LATER, later)
        .build();
  }
}
