package io.weir.indexing.report;

import io.weir.indexing.plan.CellKey;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Verdict;
import io.weir.run.CellFigures.Window;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.QuickRun;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cells of {@code weir index} with the figures that a test is about. */
final class SampleCells {

  private static final long MEGABYTE = 1_000_000;

  private SampleCells() {}

  /** A cell of one thread, whose rate at steady state is known within a tenth. */
  static Part cell(int round, long megabytes, double rate, Verdict verdict) {
    return cell(
        round,
        megabytes,
        rate,
        Optional.of(new ConfidenceInterval(rate - 0.1, rate + 0.1)),
        verdict);
  }

  /** A cell of one thread; with start and end it has half its rate. */
  static Part cell(
      int round,
      long megabytes,
      double rate,
      Optional<ConfidenceInterval> interval,
      Verdict verdict) {
    CellKey key = new CellKey("stock", 1, megabytes * MEGABYTE);
    return Part.of(
        Part.Kind.CELL,
        key.title(),
        round,
        Status.DONE,
        Map.of(),
        Values.builder()
            .put(key.values())
            .put(CellFigures.SOURCE_RATE, 1000.0)
            .put(CellFigures.RATE, Window.WHOLE, rate / 2)
            .put(CellFigures.RATE, Window.STEADY, rate)
            .put(CellFigures.DOCUMENTS_PER_SECOND, Window.STEADY, 100.0)
            .put(CellFigures.VERDICT, verdict)
            .put(CellFigures.INTERVAL_LOW, interval.map(ConfidenceInterval::low))
            .put(CellFigures.INTERVAL_HIGH, interval.map(ConfidenceInterval::high))
            .build());
  }

  /** A run of these cells. */
  static Run run(Part... cells) {
    QuickRun run = new QuickRun();
    run.kind = Run.Kind.INDEX;
    return run.result(List.of(cells));
  }
}
