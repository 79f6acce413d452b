package io.weir.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.figure.Figure;
import io.weir.merge.MergeKind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ValuesTest {

  private static final LatencySummary LATENCY =
      new LatencySummary(3, 1.5, 1, 2, 3, Optional.of(4.0), 5);

  @Test
  void get_whatWasMeasured_hasItsType() {
    Values values =
        Values.builder()
            .put(MergeFigures.SECONDS, 2.5)
            .put(MergeFigures.PAUSES, MergeKind.FORCED, 7L)
            .put(ArmFigures.REOPEN, Phase.DURING, LATENCY)
            .put(MergeFigures.READ_BYTES, Optional.empty())
            .build();

    double seconds = values.require(MergeFigures.SECONDS);
    assertEquals(2.5, seconds);
    assertEquals(Optional.of(7L), values.get(MergeFigures.PAUSES, MergeKind.FORCED));
    assertEquals(Optional.empty(), values.get(MergeFigures.PAUSES, MergeKind.CRITICAL));
    assertEquals(LATENCY, values.latency(ArmFigures.REOPEN, Phase.DURING));
    assertEquals(LatencySummary.EMPTY, values.latency(ArmFigures.REOPEN, Phase.AFTER));
    assertEquals(Optional.empty(), values.get(MergeFigures.READ_BYTES));
  }

  @Test
  void require_whatWasNotMeasured_namesIt() {
    NoSuchElementException missing =
        assertThrows(
            NoSuchElementException.class,
            () -> Values.NONE.require(ArmFigures.PHASE_SECONDS, Phase.AFTER));

    assertEquals("not measured: phaseSeconds.after", missing.getMessage());
  }

  @Test
  void put_aValueThatIsThere_replacesIt_andABuilderCanGoOn() {
    Values.Builder builder = Values.builder().put(MergeFigures.SECONDS, 1.0);
    Values first = builder.build();
    Values second = builder.put(MergeFigures.SECONDS, 2.0).build();

    assertEquals(1.0, first.require(MergeFigures.SECONDS));
    assertEquals(2.0, second.require(MergeFigures.SECONDS));
  }

  @Test
  void json_ofEveryKindOfValue_isReadBack() throws IOException {
    Values values =
        Values.builder()
            .put(MergeFigures.SECONDS, 2.0)
            .put(MergeFigures.ENDED, true)
            .put(MergeFigures.KIND, "forced")
            .put(MergeFigures.BYTES_WRITTEN, 1L << 40)
            .put(StepFigures.OUTCOME, StepOutcome.OVER_LIMIT)
            .put(CellFigures.VERDICT, CellFigures.Verdict.TOO_FEW_FLUSHES)
            .put(StepFigures.LATENCY, LATENCY)
            .put(
                ArmFigures.NOISE_HOST,
                Phase.BEFORE,
                new HostNoise(1, Optional.of(0.5), Optional.empty(), Optional.of(7L)))
            .put(
                ArmFigures.SLOW_CAUSES,
                Phase.DURING,
                new SlowCauses(List.of(new SlowCauses.Cause("cpu", "computing", 1, 1, 1))))
            .build();

    String json = RunJson.line(values);

    assertEquals(values, RunJson.ofLine(json, Values.class));
    assertTrue(json.contains("\"steady.verdict\":\"too-few-flushes\""), json);
    assertTrue(json.contains("\"slowReopens.causes.during\":[{\"cause\":\"cpu\""), json);
  }

  /** Its own process wrote a worker's answer, but a user may have damaged a run. */
  @Test
  void json_aValueOfAnotherType_isRefused() {
    assertThrows(
        IOException.class, () -> RunJson.ofLine("{\"merge.seconds\": \"long\"}", Values.class));
    assertThrows(
        IOException.class, () -> RunJson.ofLine("{\"merge.seconds\": null}", Values.class));
  }

  /** The name of a figure of a part is what follows that of the part, so it must not clash. */
  @Test
  void figures_ofAllParts_haveOneMeaning() {
    for (Figure<?> figure : Run.FIGURES.all()) {
      assertTrue(figure.id().matches("[A-Za-z][A-Za-z0-9.]*[A-Za-z0-9]"), figure.id());
      assertTrue(
          !figure.text().isBlank() && !figure.text().endsWith("."),
          () -> figure.id() + ": " + figure.text());
    }
  }

  @Test
  void part_thatFailedForNoReason_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Part.of(Part.Kind.ARM, "a", 1, Status.FAILED, Map.of(), Values.NONE));
  }
}
