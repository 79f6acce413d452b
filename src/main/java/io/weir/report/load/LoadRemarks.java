package io.weir.report.load;

import io.weir.load.result.LoadRun;
import io.weir.report.words.Notes;
import io.weir.report.words.Remarks;
import io.weir.stress.result.ArmStatus;
import java.util.List;

/** What a reader of a run of {@code weir load} must know before the figures. */
final class LoadRemarks {

  private LoadRemarks() {}

  static Remarks of(LoadRun run) {
    return new Remarks(
        Remarks.interrupted(run.interrupted()),
        run.arms().stream()
            .filter(arm -> arm.status() == ArmStatus.FAILED)
            .flatMap(
                arm ->
                    arm.failure().stream()
                        .map(why -> Remarks.Failure.of(arm.name(), arm.round(), why)))
            .toList(),
        Notes.of(run.noise().findings(), List.of()),
        Notes.of(
            run.warnings(),
            run.arms().stream()
                .map(arm -> new Notes.OfArm(arm.name(), arm.round(), arm.warnings()))
                .toList()));
  }
}
