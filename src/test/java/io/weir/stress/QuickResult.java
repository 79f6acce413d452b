package io.weir.stress;

import io.weir.run.ArmFigures;
import io.weir.run.Failure;
import io.weir.run.FigureBy;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.SlowCauses;
import io.weir.run.Status;
import io.weir.run.Values;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an arm measured, as far as a test says; the rest was not measured. */
public final class QuickResult {

  public Status status = Status.DONE;
  public Map<String, String> settings = Map.of();
  public final Values.Builder values =
      Values.builder()
          .put(ArmFigures.GC_COLLECTIONS, 0L)
          .put(ArmFigures.GC_SECONDS, 0.0)
          .put(ArmFigures.GC_COLLECTORS, "")
          .put(ArmFigures.SAMPLES, 0L)
          .put(ArmFigures.MISSED_SAMPLES, 0L)
          .put(ArmFigures.LONGEST_GAP, 0.0)
          .put(ArmFigures.SLOW_THRESHOLD, 50L);
  public List<RunWarning> warnings = List.of();

  public QuickResult() {
    for (Phase phase : Phase.MEASURED) {
      values
          .put(ArmFigures.REOPEN, phase, LatencySummary.EMPTY)
          .put(ArmFigures.REOPEN_SERVICE, phase, LatencySummary.EMPTY)
          .put(ArmFigures.SLOW_REOPENS, phase, 0L)
          .put(ArmFigures.SLOW_LOST, phase, 0.0)
          .put(ArmFigures.SLOW_CAUSES, phase, new SlowCauses(List.of()));
    }
  }

  /** Reopens all took so long, in every phase. */
  public QuickResult reopens(double millis) {
    return each(ArmFigures.REOPEN, new LatencySummary(10, millis, millis, millis, millis, millis));
  }

  /** The same value in every phase. */
  public <T> QuickResult each(FigureBy<Phase, T> figures, T value) {
    Phase.MEASURED.forEach(phase -> values.put(figures, phase, value));
    return this;
  }

  /** As the status says; a failed arm has nothing of the rest. */
  public Part result(String name, int round) {
    return status == Status.FAILED
        ? Part.failed(
            Part.Kind.ARM,
            name,
            round,
            settings,
            Values.NONE,
            new Failure("it broke", Optional.empty(), List.of()))
        : Part.of(Part.Kind.ARM, name, round, status, settings, values.build())
            .withWarnings(warnings);
  }
}
