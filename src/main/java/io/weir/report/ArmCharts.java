package io.weir.report;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import java.util.List;

/**
 * The charts of one arm in one round, and where the merge stands in them.
 *
 * @param mergeFromSeconds null when the merge never began
 * @param mergeToSeconds null likewise
 * @param mergeLabel what to write over that span
 */
record ArmCharts(
    ArmResult arm,
    List<Panel> panels,
    Double mergeFromSeconds,
    Double mergeToSeconds,
    String mergeLabel) {

  static ArmCharts of(ArmResult arm, List<Panel> panels, Samples samples) {
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
