package io.weir.report.compare;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.LoadResult;
import io.weir.stress.result.Phases;
import java.util.function.Function;

/** A figure by which arms are compared; latencies are those during the merge, or without one. */
public enum ComparedFigure {
  REOPEN_P50("reopen p50", "ms", arm -> reopen(arm, LatencySummary::p50Millis)),
  REOPEN_P99("reopen p99", "ms", arm -> reopen(arm, LatencySummary::p99Millis)),
  REOPEN_MAX("reopen max", "ms", arm -> reopen(arm, LatencySummary::maxMillis)),
  SEARCH_P99(
      "search p99",
      "ms",
      arm -> {
        LoadResult search = during(arm.search());
        return search == null ? null : of(search.latency(), LatencySummary::p99Millis);
      }),
  MERGE_SECONDS(
      "merge",
      "s",
      arm ->
          arm.merge() == null || "none".equals(arm.merge().kind()) ? null : arm.merge().seconds()),
  INDEXING_RATE(
      "indexing",
      "/s",
      arm -> {
        LoadResult update = during(arm.update());
        return update == null ? null : update.achievedPerSecond();
      }),
  PEAK_DIRTY("peak dirty", "MB", arm -> arm.dirty() == null ? null : arm.dirty().peakBytes() / 1e6);

  private final String label;
  private final String unit;
  private final Function<ArmResult, Double> value;

  ComparedFigure(String label, String unit, Function<ArmResult, Double> value) {
    this.label = label;
    this.unit = unit;
    this.value = value;
  }

  /** As people call it. */
  public String label() {
    return label;
  }

  /** Of {@link #of}. */
  public String unit() {
    return unit;
  }

  /** What an arm came to; null when that was not measured. */
  public Double of(ArmResult arm) {
    return value.apply(arm);
  }

  private static Double reopen(ArmResult arm, Function<LatencySummary, Double> figure) {
    return of(during(arm.reopen()), figure);
  }

  private static Double of(LatencySummary latency, Function<LatencySummary, Double> figure) {
    return latency == null || latency.count() == 0 ? null : figure.apply(latency);
  }

  private static <T> T during(Phases<T> phases) {
    return phases == null ? null : phases.during();
  }
}
