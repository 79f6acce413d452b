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
  SEARCH_P50("search.p50", "ms", false, arm -> load(arm.search(), LatencySummary::p50Millis)),
  SEARCH_P99("search.p99", "ms", true, arm -> load(arm.search(), LatencySummary::p99Millis)),
  SEARCH_MAX("search.max", "ms", false, arm -> load(arm.search(), LatencySummary::maxMillis)),
  COMMIT_P99("commit.p99", "ms", false, arm -> load(arm.commit(), LatencySummary::p99Millis)),
  COMMIT_MAX("commit.max", "ms", false, arm -> load(arm.commit(), LatencySummary::maxMillis)),
  /** How long the large merge took; not measured without one. */
  MERGE_SECONDS(
      "merge.seconds",
      "s",
      true,
      arm ->
          arm.merge() == null || "none".equals(arm.merge().kind()) ? null : arm.merge().seconds()),
  /** Documents updated or added. */
  INDEXING_RATE(
      "indexing.rate",
      "/s",
      true,
      arm -> {
        LoadResult update = during(arm.update());
        return update == null ? null : update.achievedPerSecond();
      }),
  /** The longest the collector had all threads stand still; 0 if it never did. */
  GC_PAUSE_MAX("gc.pause.max", "ms", true, arm -> gc(arm, GcPauses::longestMillis)),
  /** All those times together. */
  GC_PAUSE_TOTAL("gc.pause.total", "ms", true, arm -> gc(arm, GcPauses::totalMillis)),
  /** Of the whole arm, the warm-up apart, and of the whole machine. */
  DIRTY_PEAK(
      "dirty.peak", "MB", true, arm -> arm.dirty() == null ? null : arm.dirty().peakBytes() / 1e6);

  private final String id;
  private final String unit;
  private final boolean compared;
  private final Function<ArmResult, Double> value;

  RunFigure(String id, String unit, boolean compared, Function<ArmResult, Double> value) {
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

  /** What an arm came to; null when that was not measured. */
  public Double of(ArmResult arm) {
    return value.apply(arm);
  }

  /** The median of several rounds; null when it was not measured in every one, or there is none. */
  public Double median(List<ArmResult> rounds) {
    List<Double> values = rounds.stream().map(value).toList();
    return values.isEmpty() || values.contains(null)
        ? null
        : median(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** What several rounds are told as; of at least one. */
  public static double median(double[] rounds) {
    double[] sorted = rounds.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static Double load(Phases<LoadResult> load, Function<LatencySummary, Double> figure) {
    LoadResult during = during(load);
    return during == null ? null : of(during.latency(), figure);
  }

  private static Double reopen(ArmResult arm, Function<LatencySummary, Double> figure) {
    return of(during(arm.reopen()), figure);
  }

  private static Double gc(ArmResult arm, Function<GcPauses, Double> figure) {
    GcPauses during = arm.gc() == null ? null : during(arm.gc().pauses());
    return during == null ? null : figure.apply(during);
  }

  private static Double of(LatencySummary latency, Function<LatencySummary, Double> figure) {
    return latency == null || latency.count() == 0 ? null : figure.apply(latency);
  }

  private static <T> T during(Phases<T> phases) {
    return phases == null ? null : phases.during();
  }
}
