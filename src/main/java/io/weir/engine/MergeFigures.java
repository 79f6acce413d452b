package io.weir.engine;

import io.weir.merge.ForcedMergeProgress;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.MergeTotals;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The figures of a shard's merges: totals of each kind, those that run, a forced one's progress.
 */
public final class MergeFigures {

  private MergeFigures() {}

  public static Map<String, Object> of(MergeActivity activity) {
    Map<String, Object> merges = new LinkedHashMap<>();
    for (MergeKind kind : MergeKind.values()) {
      merges.put(Figures.name(kind), Figures.of(MergeKindTotals.FIGURES, activity.totals(kind)));
    }
    merges.put(
        "running",
        activity.running().stream().map(merge -> Figures.of(MergeTotals.FIGURES, merge)).toList());
    return merges;
  }

  public static Map<String, Object> progress(ForcedMergeProgress progress) {
    return Figures.of(
        "merges", progress.merges(),
        "done_bytes", progress.doneBytes(),
        "estimated_bytes",
            progress.estimatedBytes().isPresent() ? progress.estimatedBytes().getAsLong() : null,
        "done_percent",
            progress.fraction().isPresent()
                ? Math.round(progress.fraction().getAsDouble() * 1000) / 10.0
                : null,
        "elapsed_seconds", progress.elapsed().toSeconds(),
        "remaining_seconds", progress.remaining().map(Duration::toSeconds).orElse(null));
  }
}
