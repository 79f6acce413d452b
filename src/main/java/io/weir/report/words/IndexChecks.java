package io.weir.report.words;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.IndexCheckResult;
import io.weir.stress.result.RunResult;
import java.util.List;
import java.util.Optional;

/** How many indexes were checked after their arms, in a sentence. */
public final class IndexChecks {

  private IndexChecks() {}

  /** Empty when no arm checked its index. A broken index is a failure of its arm. */
  public static Optional<String> sentence(RunResult run) {
    List<IndexCheckResult> clean =
        ArmResult.measured(run.arms()).flatMap(arm -> arm.indexCheck().stream()).toList();
    if (clean.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "CheckIndex: clean after %d of %d arm runs.".formatted(clean.size(), run.arms().size()));
  }
}
