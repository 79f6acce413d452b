package io.weir.indexing.report;

import io.weir.indexing.result.CellKey;
import io.weir.indexing.result.CellResult;
import io.weir.indexing.result.IndexingFiles;
import io.weir.indexing.result.IndexingResult;
import io.weir.indexing.result.IndexingWindow;
import io.weir.indexing.result.MeasuredCell;
import io.weir.indexing.result.SourceRate;
import io.weir.indexing.result.Stalls;
import io.weir.indexing.result.SteadyWindow;
import io.weir.indexing.result.SteadyWindow.Verdict;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunNoise;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cells of {@code weir index} with the figures that a test is about. */
final class SampleCells {

  private static final long MEGABYTE = 1_000_000;

  private SampleCells() {}

  /** A cell of one thread, whose rate at steady state is known within a tenth. */
  static MeasuredCell cell(int round, long megabytes, double rate, Verdict verdict) {
    return cell(
        round,
        megabytes,
        rate,
        Optional.of(new ConfidenceInterval(rate - 0.1, rate + 0.1)),
        verdict);
  }

  /** A cell of one thread; with start and end it has half its rate. */
  static MeasuredCell cell(
      int round,
      long megabytes,
      double rate,
      Optional<ConfidenceInterval> interval,
      Verdict verdict) {
    CellKey key = new CellKey("stock", 1, megabytes * MEGABYTE);
    return new MeasuredCell(
        key.title(),
        key,
        round,
        ArmStatus.DONE,
        Map.of(),
        new SourceRate(10, 1000, 10, 1000),
        window(rate / 2),
        window(0),
        Optional.of(
            new SteadyWindow(verdict, 0, 0, window(rate), interval, rate, rate, Optional.empty())),
        Optional.empty(),
        List.of());
  }

  private static IndexingWindow window(double gigabytesPerHour) {
    return new IndexingWindow(
        0,
        60,
        1000,
        1000,
        gigabytesPerHour,
        100,
        6,
        100,
        0,
        100,
        0,
        Optional.of(2.0),
        Optional.of(1.0),
        0,
        0,
        new Stalls(0, 0),
        new Stalls(0, 0),
        Optional.empty(),
        Optional.empty(),
        0,
        0);
  }

  /** A run of these cells. */
  static IndexingResult run(CellResult... cells) {
    return new IndexingResult(
        IndexingFiles.SCHEMA_VERSION,
        IndexingFiles.EXPERIMENT,
        "0.1.0",
        "10.5.1",
        List.of("index"),
        Instant.EPOCH,
        Instant.EPOCH,
        false,
        RunJson.tree(Map.of()),
        Map.of(),
        List.of(cells),
        List.of(),
        new RunNoise(
            LatencySummary.EMPTY,
            new HostNoise(1, Optional.empty(), Optional.empty(), Optional.empty()),
            List.of()));
  }
}
