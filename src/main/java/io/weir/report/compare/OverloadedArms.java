package io.weir.report.compare;

import io.weir.run.ArmFigures;
import io.weir.run.FigureBy;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Arms whose load the machine could not bear even without a merge. Their latencies are those of a
 * queue that grows, so they say nothing about merges.
 */
final class OverloadedArms {

  private static final Map<String, FigureBy<Phase, LatencySummary>> LOADS = loads();

  private OverloadedArms() {}

  private static Map<String, FigureBy<Phase, LatencySummary>> loads() {
    Map<String, FigureBy<Phase, LatencySummary>> loads = new LinkedHashMap<>();
    loads.put("reopens", ArmFigures.REOPEN);
    loads.put("searches", ArmFigures.SEARCH.latency());
    loads.put("updates", ArmFigures.UPDATE.latency());
    loads.put("commits", ArmFigures.COMMIT.latency());
    return loads;
  }

  /** A sentence for each; empty when each arm could bear its load. */
  static List<String> of(Run run) {
    List<String> sentences = new ArrayList<>();
    for (Part arm : run.parts()) {
      if (arm.status() == Status.DONE) {
        LOADS.forEach((what, latencies) -> add(sentences, run, arm, what, latencies));
      }
    }
    return sentences;
  }

  private static void add(
      List<String> sentences,
      Run run,
      Part arm,
      String what,
      FigureBy<Phase, LatencySummary> latencies) {
    Phase quiet = MergeFigures.isMerged(arm) ? Phase.BEFORE : Phase.DURING;
    arm.get(latencies, quiet)
        .filter(latency -> latency.count() > 0)
        .filter(latency -> latency.p50Millis() > ArmFigures.BEHIND_MILLIS)
        .ifPresent(
            latency ->
                sentences.add(
                    String.format(
                        Locale.ROOT,
                        "without a merge, half of the %s of arm %s%s ended over %.0f ms after they"
                            + " were due",
                        what,
                        arm.name(),
                        run.rounds(arm.name()).size() > 1 ? " in round " + arm.round() : "",
                        latency.p50Millis())));
  }
}
