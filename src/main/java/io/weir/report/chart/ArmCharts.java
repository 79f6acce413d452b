package io.weir.report.chart;

import io.weir.report.model.Samples;
import io.weir.report.model.Timelines;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The charts of one arm in one round, and the span of the merge in them.
 *
 * @param merge empty when the merge never began
 */
public record ArmCharts(Part arm, List<Panel> panels, Optional<MergeSpan> merge) {

  /**
   * The span of the merge.
   *
   * @param label the words over it
   */
  public record MergeSpan(double fromSeconds, double toSeconds, String label) {}

  /** The charts of every arm and round, in the order of the run. */
  public static List<ArmCharts> all(Run run, Timelines timelines, ChartLimits limits) {
    DirtyView view = DirtyView.of(run.parts().stream().map(timelines::samples).toList());
    SlowReopenCauses causes = new SlowReopenCauses(run.parts(), timelines);
    boolean pauses = run.parts().stream().anyMatch(arm -> GcPausePanel.reported(arm, timelines));
    boolean goals =
        run.parts().stream().anyMatch(arm -> timelines.samples(arm).has("goal_limit_nanos"));
    List<ArmCharts> charts = new ArrayList<>();
    for (Part arm : run.parts()) {
      List<Panel> panels = new ArrayList<>();
      SlowReopenMarks marks = new SlowReopenMarks(timelines.slowReopens(arm), causes);
      panels.add(ReopenPanel.of(timelines.reopens(arm), marks, limits.reopens()));
      if (pauses) {
        panels.add(GcPausePanel.of(arm, timelines, limits.pauses()));
      }
      SamplePanels sampled = new SamplePanels(timelines.samples(arm), limits.windows());
      panels.addAll(sampled.all(view));
      if (goals) {
        panels.add(sampled.goal());
      }
      panels.sort(Comparator.comparing(Panel::kind));
      charts.add(new ArmCharts(arm, panels, span(arm, timelines.samples(arm))));
    }
    return charts;
  }

  private static Optional<MergeSpan> span(Part arm, Samples samples) {
    return span(arm).or(() -> sampledSpan(arm, samples));
  }

  private static Optional<MergeSpan> span(Part arm) {
    return arm.get(ArmFigures.PHASE_SECONDS, Phase.BEFORE)
        .map(before -> longerWarmUp(arm) + before)
        .flatMap(
            from ->
                arm.get(ArmFigures.PHASE_SECONDS, Phase.DURING)
                    .map(length -> span(arm, from, from + length)));
  }

  /** Times in the charts are from the end of the warm-up as requested; it may have gone on. */
  private static double longerWarmUp(Part arm) {
    return arm.get(ArmFigures.WARM_UP_SECONDS)
        .map(seconds -> seconds - arm.require(ArmFigures.WARM_UP_ASKED))
        .orElse(0.0);
  }

  /** An arm that was cut short has no lengths, but its samples carry their phase. */
  private static Optional<MergeSpan> sampledSpan(Part arm, Samples samples) {
    double[] during =
        IntStream.range(0, samples.size())
            .filter(row -> samples.phase(row).equals(Phase.DURING.label()))
            .mapToDouble(row -> samples.timeNanos(row) / 1e9)
            .toArray();
    return during.length == 0
        ? Optional.empty()
        : Optional.of(span(arm, during[0], during[during.length - 1]));
  }

  private static MergeSpan span(Part arm, double from, double to) {
    return new MergeSpan(from, to, label(arm, to - from));
  }

  private static String label(Part arm, double seconds) {
    String length = Figures.seconds(seconds);
    return arm.get(MergeFigures.KIND)
        .map(kind -> kind.equals("none") ? "no merge, the same window" : kind + " merge, " + length)
        .orElse("merge, " + length);
  }
}
