package io.weir.stress.result;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * A figure that arms are compared and judged by; latencies and rates are those during the merge, or
 * of the middle phase without one.
 */
public enum RunFigure {
  REOPEN_P50("reopen.p50", "ms", true, arm -> reopen(arm, LatencySummary::p50Millis)),
  REOPEN_P90("reopen.p90", "ms", false, arm -> reopen(arm, LatencySummary::p90Millis)),
  REOPEN_P99("reopen.p99", "ms", true, arm -> reopen(arm, LatencySummary::p99Millis)),
  REOPEN_MAX("reopen.max", "ms", true, arm -> reopen(arm, LatencySummary::maxMillis)),
  REOPEN_MEAN("reopen.mean", "ms", false, arm -> reopen(arm, LatencySummary::meanMillis)),
  VISIBLE_P50("visible.p50", "ms", false, arm -> visible(arm, LatencySummary::p50Millis)),
  VISIBLE_P99("visible.p99", "ms", false, arm -> visible(arm, LatencySummary::p99Millis)),
  VISIBLE_MAX("visible.max", "ms", false, arm -> visible(arm, LatencySummary::maxMillis)),
  SEARCH_P50("search.p50", "ms", false, arm -> load(arm.search(), LatencySummary::p50Millis)),
  SEARCH_P99("search.p99", "ms", true, arm -> load(arm.search(), LatencySummary::p99Millis)),
  SEARCH_MAX("search.max", "ms", false, arm -> load(arm.search(), LatencySummary::maxMillis)),
  COMMIT_P99("commit.p99", "ms", false, arm -> load(arm.commit(), LatencySummary::p99Millis)),
  COMMIT_MAX("commit.max", "ms", false, arm -> load(arm.commit(), LatencySummary::maxMillis)),
  /** How long the large merge took; not measured without one, or when the arm ended first. */
  MERGE_SECONDS(
      "merge.seconds",
      "s",
      true,
      arm -> arm.merge().filter(merge -> arm.merged() && merge.ended()).map(MergeResult::seconds)),
  /** Documents updated or added. */
  INDEXING_RATE(
      "indexing.rate", "/s", true, arm -> during(arm.update()).map(LoadResult::achievedPerSecond)),
  /** The longest pause of the collector; 0 if it never paused. */
  GC_PAUSE_MAX("gc.pause.max", "ms", true, arm -> gc(arm, GcPauses::longestMillis)),
  /** The sum of those pauses. */
  GC_PAUSE_TOTAL("gc.pause.total", "ms", true, arm -> gc(arm, GcPauses::totalMillis)),
  /** Of the whole arm, the warm-up apart, and of the whole machine. */
  DIRTY_PEAK("dirty.peak", "MB", true, arm -> arm.dirty().map(dirty -> dirty.peakBytes() / 1e6));

  private final String id;
  private final String unit;
  private final boolean compared;
  private final Function<MeasuredArm, Optional<Double>> value;

  RunFigure(
      String id, String unit, boolean compared, Function<MeasuredArm, Optional<Double>> value) {
    this.id = id;
    this.unit = unit;
    this.compared = compared;
    this.value = value;
  }

  /** Those by which arms are compared without being asked to. */
  public static List<RunFigure> compared() {
    return Arrays.stream(values()).filter(figure -> figure.compared).toList();
  }

  /** The figure of this {@link #id}. */
  public static Optional<RunFigure> of(String id) {
    String lower = id.toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(figure -> figure.id.equals(lower)).findFirst();
  }

  /** As it is written, such as {@code reopen.p99}. */
  public String id() {
    return id;
  }

  /** Of {@link #of(ArmResult)}: ms, s, MB (of 1,000,000 bytes) or /s. */
  public String unit() {
    return unit;
  }

  /** The figure of one arm; empty when it was not measured. */
  public Optional<Double> of(ArmResult arm) {
    return arm.figures().flatMap(value);
  }

  /** The median of several rounds; empty unless every one measured it, and without rounds. */
  public Optional<Double> median(List<? extends ArmResult> rounds) {
    double[] values =
        rounds.stream().map(this::of).flatMap(Optional::stream).mapToDouble(v -> v).toArray();
    return values.length == 0 || values.length < rounds.size()
        ? Optional.empty()
        : Optional.of(median(values));
  }

  /** The median of at least one value. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static Optional<Double> load(
      Optional<Phases<Optional<LoadResult>>> load, Function<LatencySummary, Double> figure) {
    return during(load).flatMap(during -> of(during.latency(), figure));
  }

  private static Optional<Double> reopen(MeasuredArm arm, Function<LatencySummary, Double> figure) {
    return of(arm.reopen().during(), figure);
  }

  private static Optional<Double> visible(
      MeasuredArm arm, Function<LatencySummary, Double> figure) {
    return arm.visible().flatMap(phases -> of(phases.during(), figure));
  }

  private static Optional<Double> gc(MeasuredArm arm, Function<GcPauses, Double> figure) {
    return during(arm.gc().pauses()).map(figure);
  }

  private static Optional<Double> of(
      LatencySummary latency, Function<LatencySummary, Double> figure) {
    return latency.count() == 0 ? Optional.empty() : Optional.of(figure.apply(latency));
  }

  private static <T> Optional<T> during(Optional<Phases<Optional<T>>> phases) {
    return phases.flatMap(Phases::during);
  }
}
