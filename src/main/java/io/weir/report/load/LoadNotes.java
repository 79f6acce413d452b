package io.weir.report.load;

import io.weir.load.result.LoadRun;
import io.weir.report.words.Notes;
import io.weir.report.words.Notes.OfArm;
import java.util.List;

/**
 * What a reader of a run of {@code weir load} must know, each said once for all arms and rounds.
 */
final class LoadNotes {

  private LoadNotes() {}

  /** What else happened on the machine. */
  static Notes noise(LoadRun run) {
    return Notes.of(run.noise().findings(), List.of());
  }

  /** Everything else that makes figures less than they seem. */
  static Notes warnings(LoadRun run) {
    return Notes.of(
        run.warnings(),
        run.arms().stream()
            .map(arm -> new OfArm(arm.name(), arm.round(), arm.warnings()))
            .toList());
  }
}
