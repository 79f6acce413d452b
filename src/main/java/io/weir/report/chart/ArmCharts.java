package io.weir.report.chart;

import io.weir.report.model.Samples;
import io.weir.report.model.Timelines;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The charts of one arm in one round, and the span of the merge in them.
 *
 * @param mergeFromSeconds null when the merge never began
 * @param mergeToSeconds null likewise
 * @param mergeLabel the words over that span
 */
public record ArmCharts(
    ArmResult arm,
    List<Panel> panels,
    Double mergeFromSeconds,
    Double mergeToSeconds,
    String mergeLabel) {

  /** The charts of every arm and round, in the order of the run. */
  public static List<ArmCharts> all(RunResult run, Timelines timelines, ChartLimits limits) {
    DirtyView view = DirtyView.of(run.arms().stream().map(timelines::samples).toList());
    SlowReopenCauses causes = new SlowReopenCauses(run.arms(), timelines);
    boolean pauses = run.arms().stream().anyMatch(arm -> GcPausePanel.reported(arm, timelines));
    List<ArmCharts> charts = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      List<Panel> panels = new ArrayList<>();
      SlowReopenMarks marks = new SlowReopenMarks(timelines.slowReopens(arm), causes);
      panels.add(ReopenPanel.of(timelines.reopens(arm), marks, limits.reopens()));
      if (pauses) {
        panels.add(GcPausePanel.of(arm, timelines, limits.pauses()));
      }
      panels.addAll(new SamplePanels(timelines.samples(arm), limits.windows()).all(view));
      panels.sort(Comparator.comparing(Panel::kind));
      charts.add(ArmCharts.of(arm, panels, timelines.samples(arm)));
    }
    return charts;
  }

  private static ArmCharts of(ArmResult arm, List<Panel> panels, Samples samples) {
    Double from = null;
    Double to = null;
    Phases<Double> lengths = arm.phaseSeconds();
    if (lengths != null && lengths.before() != null && lengths.during() != null) {
      from = lengths.before();
      to = from + lengths.during();
    } else {
      // An arm that was cut short has no lengths, but its samples carry their phase.
      for (int row = 0; row < samples.size(); row++) {
        if (samples.phase(row).equals(Phase.DURING.label())) {
          to = samples.timeNanos(row) / 1e9;
          from = from == null ? to : from;
        }
      }
    }
    return new ArmCharts(arm, panels, from, to, from == null ? "" : label(arm, to - from));
  }

  private static String label(ArmResult arm, double seconds) {
    String length = Figures.seconds(seconds);
    if (arm.merge() == null) {
      return "merge, " + length;
    }
    return arm.merge().kind().equals("none")
        ? "no merge, the same window"
        : arm.merge().kind() + " merge, " + length;
  }
}
