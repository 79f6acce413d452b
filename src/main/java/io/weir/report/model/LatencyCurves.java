package io.weir.report.model;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.LoadResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * A curve for each arm that has latencies during the merge, in the order of the run. Failed rounds
 * are left out, as in the tables.
 *
 * <p>They come from the histogram logs. Logs of older runs do not tell when a value was due, so
 * reopens of those come from {@code reopens.csv}, which does; for searches there is no other
 * source.
 *
 * @param reopens the curves of reopens
 * @param searches the curves of searches
 * @param unreadableLines lines of the logs that were skipped; usually the last one of a killed run
 */
public record LatencyCurves(
    List<LatencyCurve> reopens, List<LatencyCurve> searches, int unreadableLines) {

  private static final int SIGNIFICANT_DIGITS = 3;

  public static LatencyCurves read(RunFiles files, RunResult run, Timelines timelines)
      throws IOException {
    Reading reopens = new Reading(files::reopensHistogramLog, LatencyCurves::reopen);
    Reading searches = new Reading(files::searchesHistogramLog, LatencyCurves::search);
    for (String name : run.arms().stream().map(ArmResult::name).distinct().toList()) {
      List<ArmResult> rounds =
          run.arms().stream()
              .filter(arm -> arm.name().equals(name) && arm.status() != ArmStatus.FAILED)
              .toList();
      reopens.add(name, rounds, timelines::reopens);
      searches.add(name, rounds, arm -> List.of());
    }
    return new LatencyCurves(
        reopens.curves, searches.curves, reopens.unreadableLines + searches.unreadableLines);
  }

  private static LatencySummary reopen(ArmResult arm) {
    return during(arm.reopen());
  }

  private static LatencySummary search(ArmResult arm) {
    LoadResult load = during(arm.search());
    return load == null ? null : load.latency();
  }

  private static <T> T during(Phases<T> phases) {
    return phases == null ? null : phases.during();
  }

  /** The curves of one load, as they grow. */
  private static final class Reading {
    private final BiFunction<String, Integer, Path> log;
    private final Function<ArmResult, LatencySummary> summary;
    private final List<LatencyCurve> curves = new ArrayList<>();
    private int unreadableLines;

    Reading(BiFunction<String, Integer, Path> log, Function<ArmResult, LatencySummary> summary) {
      this.log = log;
      this.summary = summary;
    }

    void add(String name, List<ArmResult> rounds, Function<ArmResult, List<ReopenRow>> rows)
        throws IOException {
      Histogram all = new Histogram(SIGNIFICANT_DIGITS);
      long maxNanos = 0;
      boolean byDuePhase = true;
      for (ArmResult arm : rounds) {
        HistogramLogFile file = HistogramLogFile.read(log.apply(name, arm.round()));
        unreadableLines += file.unreadableLines();
        List<Long> lines = file.byDuePhase() ? List.of() : latencies(rows.apply(arm));
        if (lines.isEmpty()) {
          all.add(file.of(Phase.DURING));
          byDuePhase &= file.byDuePhase() || file.of(Phase.DURING).getTotalCount() == 0;
          maxNanos = Math.max(maxNanos, maxNanos(file, summary.apply(arm)));
        }
        for (long nanos : lines) {
          all.recordValue(nanos);
          maxNanos = Math.max(maxNanos, nanos);
        }
      }
      if (all.getTotalCount() > 0) {
        curves.add(new LatencyCurve(name, all, maxNanos, byDuePhase));
      }
    }

    /** The exact value of {@code run.json}, if the log rounds to it. */
    private static long maxNanos(HistogramLogFile file, LatencySummary summary) {
      Histogram during = file.of(Phase.DURING);
      if (during.getTotalCount() == 0) {
        return 0;
      }
      long exact = summary == null ? 0 : Math.round(summary.maxMillis() * 1e6);
      return during.valuesAreEquivalent(exact, during.getMaxValue()) ? exact : during.getMaxValue();
    }

    private static List<Long> latencies(List<ReopenRow> rows) {
      return rows.stream()
          .filter(row -> row.phase().equals(Phase.DURING.label()))
          .filter(row -> row.latencyNanos().isPresent())
          .map(row -> row.latencyNanos().getAsLong())
          .toList();
    }
  }
}
