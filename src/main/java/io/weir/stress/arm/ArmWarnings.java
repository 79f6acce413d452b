package io.weir.stress.arm;

import io.weir.rate.ByteBudget;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.RunWarning;
import java.util.ArrayList;
import java.util.List;

/** What a reader of an arm's figures must be told. */
final class ArmWarnings {

  /** When half of a load's operations end this much after they were due, it has fallen behind. */
  private static final double BEHIND_MILLIS = 1000;

  private ArmWarnings() {}

  /**
   * @param merge null when it was not reached
   */
  static List<RunWarning> of(MergeResult merge, List<OpenLoop> loops) {
    List<RunWarning> warnings = new ArrayList<>();
    for (OpenLoop loop : loops) {
      addLoad(warnings, loop);
    }
    if (merge != null) {
      addMerge(warnings, merge);
    }
    return warnings;
  }

  private static void addLoad(List<RunWarning> warnings, OpenLoop loop) {
    String cause =
        "the machine cannot keep up with %s %s per second".formatted(loop.perSecond(), loop.name());
    String remedy = "ask for a lower rate with --" + loop.name() + "-per-second";
    for (Phase phase : Phase.MEASURED) {
      LatencySummary latency = loop.latency().summary(phase);
      if (latency.p50Millis() > BEHIND_MILLIS) {
        warnings.add(
            new RunWarning(
                "%s fell behind %s the merge: half of them ended over %.0f ms after they were due"
                    .formatted(loop.name(), phase.label(), latency.p50Millis()),
                cause,
                remedy));
      }
    }
    if (loop.abandoned() > 0) {
      warnings.add(
          new RunWarning(
              "%d %s had not begun %d s after the end; they count with their wait until then"
                  .formatted(loop.abandoned(), loop.name(), Timeline.DRAIN_SECONDS),
              cause,
              remedy));
    }
  }

  private static void addMerge(List<RunWarning> warnings, MergeResult merge) {
    if (!merge.kind().equals("none") && merge.bytesWritten() == 0) {
      warnings.add(
          new RunWarning(
              "the large merge wrote nothing",
              "the index was one segment already",
              "index more documents with --doc-count"));
    }
    if (merge.bytesCharged() != null && merge.bytesCharged() != merge.bytesWritten()) {
      warnings.add(
          new RunWarning(
              "the budget granted %d bytes while merges wrote %d"
                  .formatted(merge.bytesCharged(), merge.bytesWritten()),
              "a small merge was just writing when the window of the large one ended",
              "none needed below %d bytes; report a larger difference"
                  .formatted(ByteBudget.MAX_GRANT_BYTES)));
    }
  }
}
