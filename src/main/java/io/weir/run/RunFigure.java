package io.weir.run;

import static io.weir.figure.Unit.MEGABYTES;
import static io.weir.figure.Unit.MILLIS;
import static io.weir.figure.Unit.PER_SECOND;
import static io.weir.figure.Unit.SECONDS;
import static io.weir.figure.Unit.SHARE;
import static io.weir.run.ArmFigures.COMMIT;
import static io.weir.run.ArmFigures.REOPEN;
import static io.weir.run.ArmFigures.SEARCH;
import static io.weir.run.ArmFigures.UPDATE;
import static io.weir.run.ArmFigures.VISIBLE;
import static io.weir.run.LatencySummary.LEAST_FOR_P90;
import static io.weir.run.LatencySummary.LEAST_FOR_P99;
import static io.weir.run.Phase.DURING;

import io.weir.figure.Unit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A figure that arms are compared and judged by; latencies and rates are those during the merge, or
 * of the middle phase without one.
 */
public enum RunFigure {
  REOPEN_P50("reopen.p50", true, 1, REOPEN, LatencySummary::p50Millis),
  REOPEN_P90("reopen.p90", false, LEAST_FOR_P90, REOPEN, LatencySummary::p90Millis),
  REOPEN_P99("reopen.p99", true, LEAST_FOR_P99, REOPEN, LatencySummary::p99Millis),
  REOPEN_MAX("reopen.max", true, 1, REOPEN, LatencySummary::maxMillis),
  REOPEN_MEAN("reopen.mean", false, 1, REOPEN, LatencySummary::meanMillis),
  VISIBLE_P50("visible.p50", true, 1, VISIBLE, LatencySummary::p50Millis),
  VISIBLE_P90("visible.p90", false, LEAST_FOR_P90, VISIBLE, LatencySummary::p90Millis),
  VISIBLE_P99("visible.p99", true, LEAST_FOR_P99, VISIBLE, LatencySummary::p99Millis),
  VISIBLE_MAX("visible.max", false, 1, VISIBLE, LatencySummary::maxMillis),
  SEARCH_P50("search.p50", false, 1, SEARCH.latency(), LatencySummary::p50Millis),
  SEARCH_P90("search.p90", false, LEAST_FOR_P90, SEARCH.latency(), LatencySummary::p90Millis),
  SEARCH_P99("search.p99", true, LEAST_FOR_P99, SEARCH.latency(), LatencySummary::p99Millis),
  SEARCH_MAX("search.max", false, 1, SEARCH.latency(), LatencySummary::maxMillis),
  COMMIT_P99("commit.p99", false, LEAST_FOR_P99, COMMIT.latency(), LatencySummary::p99Millis),
  COMMIT_MAX("commit.max", false, 1, COMMIT.latency(), LatencySummary::maxMillis),
  /** How long the large merge took; not measured without one, or when the arm ended first. */
  MERGE_SECONDS(
      "merge.seconds",
      SECONDS,
      true,
      arm -> arm.get(MergeFigures.SECONDS).filter(any -> MergeFigures.isWhole(arm))),
  /** Documents updated or added. */
  INDEXING_RATE("indexing.rate", PER_SECOND, true, arm -> arm.get(UPDATE.achieved(), DURING)),
  /** The part of the nearest neighbours that searches find, from 0 to 1. */
  VECTORS_RECALL("vectors.recall", SHARE, true, arm -> arm.get(ArmFigures.RECALL)),
  /** The longest pause of the collector; 0 if it never paused. */
  GC_PAUSE_MAX("gc.pause.max", MILLIS, true, arm -> arm.get(ArmFigures.GC_LONGEST, DURING)),
  /** The sum of those pauses. */
  GC_PAUSE_TOTAL("gc.pause.total", MILLIS, true, arm -> arm.get(ArmFigures.GC_PAUSED, DURING)),
  /** Of the whole arm, the warm-up apart, and of the whole machine. */
  DIRTY_PEAK(
      "dirty.peak",
      MEGABYTES,
      true,
      arm -> arm.get(ArmFigures.DIRTY_PEAK).map(bytes -> bytes / 1e6));

  private final String id;
  private final Unit unit;
  private final boolean compared;
  private final BiFunction<Part, Phase, Optional<Double>> value;
  private final Optional<FigureBy<Phase, LatencySummary>> latencies;
  private final long leastOperations;

  RunFigure(String id, Unit unit, boolean compared, Function<Part, Optional<Double>> value) {
    this.id = id;
    this.unit = unit;
    this.compared = compared;
    this.value = (arm, unused) -> value.apply(arm);
    this.latencies = Optional.empty();
    this.leastOperations = 0;
  }

  RunFigure(
      String id,
      boolean compared,
      long leastOperations,
      FigureBy<Phase, LatencySummary> latencies,
      Function<LatencySummary, Double> figure) {
    this.id = id;
    this.unit = MILLIS;
    this.compared = compared;
    this.value =
        (arm, phase) ->
            arm.get(latencies, phase).filter(latency -> latency.count() > 0).map(figure);
    this.latencies = Optional.of(latencies);
    this.leastOperations = leastOperations;
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

  /** Of {@link #of(Part)}: ms, s, MB (of 1,000,000 bytes) or /s; nothing for a share. */
  public String unit() {
    return unit.symbol();
  }

  /** The figure of one arm; empty when it was not measured. */
  public Optional<Double> of(Part arm) {
    return of(arm, DURING);
  }

  /** The same of another phase, if it is a latency. */
  public Optional<Double> of(Part arm, Phase phase) {
    return arm.isMeasured() ? value.apply(arm, phase) : Optional.empty();
  }

  /**
   * Whether each of some arms, by their names, had enough operations in its rounds for this figure:
   * fewer have no such percentile. An arm that did not measure it does not count.
   */
  public boolean isKnown(Collection<Part> parts) {
    return isKnown(parts, DURING);
  }

  /** The same of another phase. */
  public boolean isKnown(Collection<Part> parts, Phase phase) {
    return latencies.isEmpty() || operations(parts, phase) >= leastOperations;
  }

  /** Of a latency: the operations that it rests on, of the arm that has the fewest. */
  public long operations(Collection<Part> parts, Phase phase) {
    Map<String, List<LatencySummary>> arms =
        parts.stream()
            .filter(arm -> of(arm, phase).isPresent())
            .collect(
                Collectors.groupingBy(
                    Part::name,
                    Collectors.flatMapping(
                        arm -> latencies.flatMap(of -> arm.get(of, phase)).stream(),
                        Collectors.toList())));
    return arms.values().stream().mapToLong(LatencySummary::together).min().orElse(0);
  }

  /** The median of several rounds; empty unless every one measured it, and without rounds. */
  public Optional<Double> median(List<Part> rounds) {
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
}
