package io.weir.report.words;

import io.weir.run.ArmFigures;
import io.weir.run.Run;
import java.util.Optional;

/** How many indexes were checked after their arms, in a sentence. */
public final class IndexChecks {

  private IndexChecks() {}

  /** Empty when no arm checked its index. A broken index is a failure of its arm. */
  public static Optional<String> sentence(Run run) {
    long clean =
        run.parts().stream()
            .filter(arm -> arm.get(ArmFigures.CHECKED_SEGMENTS).isPresent())
            .count();
    if (clean == 0) {
      return Optional.empty();
    }
    return Optional.of(
        "CheckIndex: clean after %d of %d arm runs.".formatted(clean, run.parts().size()));
  }
}
