package io.weir.report.model;

import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * A curve for each arm that has latencies during the merge, in the order of the run. Failed rounds
 * are left out, as in the tables.
 *
 * <p>They come from the histogram logs.
 *
 * @param reopens the curves of reopens
 * @param searches the curves of searches
 * @param unreadableLines lines of the logs that were skipped; usually the last one of a killed run
 */
public record LatencyCurves(
    List<LatencyCurve> reopens, List<LatencyCurve> searches, int unreadableLines) {

  private static final int SIGNIFICANT_DIGITS = 3;

  public static LatencyCurves read(RunFiles files, Run run) throws IOException {
    Reading reopens = new Reading(files::reopensHistogramLog, LatencyCurves::reopen);
    Reading searches = new Reading(files::searchesHistogramLog, LatencyCurves::search);
    for (String name : run.names()) {
      List<Part> rounds = run.rounds(name).stream().filter(Part::isMeasured).toList();
      reopens.add(name, rounds);
      searches.add(name, rounds);
    }
    return new LatencyCurves(
        reopens.curves, searches.curves, reopens.unreadableLines + searches.unreadableLines);
  }

  private static Optional<LatencySummary> reopen(Part arm) {
    return arm.get(ArmFigures.REOPEN, Phase.DURING);
  }

  private static Optional<LatencySummary> search(Part arm) {
    return arm.get(ArmFigures.SEARCH.latency(), Phase.DURING);
  }

  /** The curves of one load, as they grow. */
  private static final class Reading {
    private final BiFunction<String, Integer, Path> log;
    private final Function<Part, Optional<LatencySummary>> summary;
    private final List<LatencyCurve> curves = new ArrayList<>();
    private int unreadableLines;

    Reading(
        BiFunction<String, Integer, Path> log, Function<Part, Optional<LatencySummary>> summary) {
      this.log = log;
      this.summary = summary;
    }

    void add(String name, List<Part> rounds) throws IOException {
      Histogram all = new Histogram(SIGNIFICANT_DIGITS);
      long maxNanos = 0;
      for (Part arm : rounds) {
        HistogramLogFile file = HistogramLogFile.read(log.apply(name, arm.round()));
        unreadableLines += file.unreadableLines();
        all.add(file.of(Phase.DURING));
        maxNanos = Math.max(maxNanos, maxNanos(file, summary.apply(arm)));
      }
      if (all.getTotalCount() > 0) {
        curves.add(new LatencyCurve(name, all, maxNanos));
      }
    }

    /** As {@code run.json} has it, exact, if that is what the log rounds. */
    private static long maxNanos(HistogramLogFile file, Optional<LatencySummary> summary) {
      Histogram during = file.of(Phase.DURING);
      if (during.getTotalCount() == 0) {
        return 0;
      }
      long exact = summary.map(latency -> Math.round(latency.maxMillis() * 1e6)).orElse(0L);
      return during.valuesAreEquivalent(exact, during.getMaxValue()) ? exact : during.getMaxValue();
    }
  }
}
