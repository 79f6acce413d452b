package io.weir.indexing.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.compare.ConfidenceInterval;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Verdict;
import io.weir.run.Part;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CellSummaryTest {

  @Test
  void interval_ofFewRounds_holdsTheirMedian() {
    CellSummary cell =
        summary(
            cell(1, 10, new ConfidenceInterval(8, 12)),
            cell(2, 20, new ConfidenceInterval(19.9, 20.1)),
            cell(3, 21, new ConfidenceInterval(20.9, 21.1)));

    assertEquals(20, cell.steady(CellFigures.RATE));
    assertEquals(Optional.of(new ConfidenceInterval(8, 21.1)), cell.interval());
    assertFalse(cell.isIntervalOfRounds());
  }

  @Test
  void interval_ofARoundThatHasNone_isUnknown() {
    assertEquals(
        Optional.empty(),
        summary(
                cell(1, 10, new ConfidenceInterval(8, 12)),
                SampleCells.cell(2, 64, 20, Optional.empty(), Verdict.STEADY))
            .interval());
  }

  @Test
  void interval_ofFiveRounds_isOneOfRounds() {
    CellSummary cell =
        summary(
            SampleCells.cell(1, 64, 10, Verdict.STEADY),
            SampleCells.cell(2, 64, 11, Verdict.STEADY),
            SampleCells.cell(3, 64, 12, Verdict.STEADY),
            SampleCells.cell(4, 64, 11, Verdict.STEADY),
            SampleCells.cell(5, 64, 10, Verdict.DRIFTING));

    ConfidenceInterval interval = cell.interval().orElseThrow();
    assertTrue(interval.low() < 10.5 && interval.high() > 11, interval.toString());
    assertTrue(cell.isIntervalOfRounds());
    assertEquals(Verdict.DRIFTING, cell.verdict());
  }

  private static CellSummary summary(Part... rounds) {
    List<CellSummary> cells = CellSummary.of(SampleCells.run(rounds));
    assertEquals(1, cells.size(), cells.toString());
    return cells.getFirst();
  }

  private static Part cell(int round, double rate, ConfidenceInterval interval) {
    return SampleCells.cell(round, 64, rate, Optional.of(interval), Verdict.STEADY);
  }
}
