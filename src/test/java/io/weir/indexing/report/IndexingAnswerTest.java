package io.weir.indexing.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.CellFigures.Verdict;
import io.weir.run.Part;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexingAnswerTest {

  /** A window with one flush lacks a part of the work, so it is fast. */
  @Test
  void of_aFasterCellThatIsNotSteady_namesTheOther() {
    assertEquals(
        List.of(
            "Fastest at steady state: stock, 1 thread, 64MB, with 20.0 GB of text an hour (19.9 to"
                + " 20.1) and 100 documents a second. The 30.0 of stock, 1 thread, 1GB is not comparable:"
                + " too few flushes.",
            "stock, 1 thread: a buffer of 1GB reaches 150 % of the rate of 64MB (noise between runs"
                + " unknown: fewer than 5 rounds; 1GB: too few flushes; 64MB: steady), and 150 %"
                + " with start and end included.",
            "Not steady: stock, 1 thread, 1GB (too few flushes).",
            "The source alone delivers documents at least 33 times as fast as any cell indexed them."),
        answer(
            SampleCells.cell(1, 64, 20, Verdict.STEADY),
            SampleCells.cell(1, 1000, 30, Verdict.TOO_FEW_FLUSHES)));
  }

  @Test
  void of_noSteadyCell_saysSo() {
    assertEquals(
        "No cell became steady.",
        answer(SampleCells.cell(1, 64, 20, Verdict.UNSETTLED)).getFirst());
    assertEquals(List.of(), answer());
  }

  @Test
  void of_fiveRounds_comparesTheirIntervals() {
    List<Part> cells = new ArrayList<>();
    for (int round = 1; round <= 5; round++) {
      cells.add(SampleCells.cell(round, 64, 20 + 0.1 * round, Verdict.STEADY));
      cells.add(SampleCells.cell(round, 1000, 30 + 0.1 * round, Verdict.STEADY));
    }

    List<String> answer = answer(cells.toArray(Part[]::new));

    assertTrue(
        answer
            .get(1)
            .startsWith(
                "stock, 1 thread: a buffer of 1GB reaches 149 % of the rate of 64MB at steady state"
                    + " (beyond noise), and"),
        answer.get(1));
  }

  private static List<String> answer(Part... cells) {
    return IndexingAnswer.of(SampleCells.run(cells));
  }
}
