package io.weir.run;

import static io.weir.figure.Figure.Kind.LEVEL;

import io.weir.figure.Figure;
import io.weir.figure.Unit;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.rate.BudgetSnapshot;
import io.weir.store.ForecastSnapshot;
import io.weir.store.WritebackSnapshot;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of the large merge of an arm, from the call that requested it until that call
 * returned. Bytes are those of every merge that wrote in this window, small natural merges
 * included, because the cap covers all of them. None has a value when the arm ended before the
 * merge.
 */
public final class MergeFigures {

  static final FigureSet ALL = new FigureSet();

  public static final Figure<String> KIND =
      ALL.words("merge.kind", "the large merge: `forced`, `natural` or `none`");

  public static final Figure<Double> SECONDS =
      ALL.seconds("merge.seconds", "how long the large merge took, or until the arm ended");

  public static final Figure<Boolean> ENDED =
      ALL.flag("merge.ended", "whether the merge ended before the arm did");

  public static final Figure<Long> READ_BYTES =
      ALL.bytes(
          "merge.reads.bytes",
          "what merges fetched from storage, page faults included; absent where the "
              + "kernel does not report it");

  public static final Figure<Long> VERIFY_BYTES =
      ALL.bytes(
          "merge.reads.verifyBytes",
          "the part of what merges fetched that verified their input, by samples");

  public static final Figure<Double> VERIFY_SECONDS =
      ALL.seconds(
          "merge.reads.verifySeconds",
          "how long merges verified their input, by samples, added over merges");

  public static final Figure<Long> BYTES_WRITTEN =
      ALL.bytes(
          "merge.bytesWritten",
          "what all merges wrote in that window; on an engine as Weir's plug-in "
              + "counts, and absent without it");

  public static final Figure<Long> BYTES_CHARGED =
      ALL.bytes(
          "merge.bytesCharged",
          "what the budget granted to merges; on an engine to those of all indexes; "
              + "absent with `preset=stock`");

  public static final Figure<Double> PAUSED_SECONDS =
      ALL.seconds(
          "merge.pausedSeconds",
          "how long threads waited for a grant, added over threads; absent with "
              + "`preset=stock`");

  public static final FigureBy<MergeKind, Long> MERGES =
      count(
          "merge.pauses.*.merges",
          "merges of that kind that ran, wholly or in part; absent with `preset=stock`");

  public static final FigureBy<MergeKind, Long> PAUSES =
      count("merge.pauses.*.pauses", "waits of that kind for the cap, and yields to readers");

  public static final FigureBy<MergeKind, Double> PAUSED_SECONDS_OF =
      seconds("merge.pauses.*.pausedSeconds", "how long these waits were, added over threads");

  public static final FigureBy<MergeKind, Long> BYTES_OF =
      bytes("merge.pauses.*.bytes", "what merges of that kind wrote");

  public static final Figure<Long> CAP_LIFTS =
      ALL.count(
          "merge.capLifts",
          "how often the cap was lifted because merges had piled up; absent with "
              + "`preset=stock`");

  public static final Figure<Long> BYTES_FORGIVEN =
      ALL.bytes(
          "merge.bytesForgiven",
          "what critical merges wrote above the cap beyond the debt that others "
              + "repay; absent with `preset=stock`");

  public static final Figure<String> WRITEBACK_METHOD =
      ALL.words(
          "merge.writeback.method",
          "how merge output reached the disk: `sync_file_range`, `fdatasync` or "
              + "`none`; absent with `writeback=off`");

  public static final Figure<String> WRITEBACK_REASON =
      ALL.words("merge.writeback.reason", "why writeback used that method");

  public static final Figure<Long> WRITEBACK_RANGES =
      ALL.count("merge.writeback.ranges", "ranges whose write was started");

  public static final Figure<Long> WRITEBACK_BYTES =
      ALL.bytes("merge.writeback.bytes", "bytes in these ranges");

  public static final Figure<Double> WRITEBACK_WAITED =
      ALL.seconds(
          "merge.writeback.waitedSeconds",
          "time that merge threads spent on writeback, added over threads");

  public static final Figure<Long> WRITEBACK_FAULTS =
      ALL.count(
          "merge.writeback.faults",
          "files that were written on without writeback, because a call failed");

  public static final Figure<Double> DEADLINE =
      ALL.seconds(
          "merge.deadline.seconds",
          "the time that the merge had; absent without a deadline, and when the arm "
              + "ended first");

  public static final Figure<Double> DEADLINE_SPARE =
      ALL.add(
          "merge.deadline.spareSeconds",
          Double.class,
          Unit.SECONDS,
          LEVEL,
          "how long before its deadline it ended; negative after it");

  public static final Figure<Double> DEADLINE_PREDICTED =
      ALL.level(
          "merge.deadline.afterThird.predictedSeconds",
          Unit.SECONDS,
          "how long the merge would still take, as predicted after a third of it; "
              + "absent when nothing was");

  public static final Figure<Double> DEADLINE_ACTUAL =
      ALL.level(
          "merge.deadline.afterThird.actualSeconds",
          Unit.SECONDS,
          "how long the merge still took then");

  public static final Figure<Double> DEADLINE_OFF =
      ALL.level(
          "merge.deadline.afterThird.offPercent",
          Unit.PERCENT,
          "the difference of both, of what it still took");

  /** What a kind of merges counted. */
  private static final Map<MergeKind, CountedFigures<MergeKindTotals>> COUNTED_OF =
      Arrays.stream(MergeKind.values())
          .collect(
              Collectors.toMap(
                  kind -> kind,
                  kind ->
                      CountedFigures.in(
                          ALL,
                          "merge.pauses." + kind.name().toLowerCase(Locale.ROOT) + ".",
                          MergeKindTotals.FIGURES)));

  /** What the budget counted. */
  public static final CountedFigures<BudgetSnapshot> BUDGET =
      CountedFigures.in(ALL, "merge.", BudgetSnapshot.FIGURES);

  /** What the writeback counted. */
  public static final CountedFigures<WritebackSnapshot> WRITEBACK =
      CountedFigures.in(ALL, "merge.writeback.", WritebackSnapshot.FIGURES);

  /** What was measured of the forecasts of merges in that window, until the arm ended. */
  public static final CountedFigures<ForecastSnapshot> FORECAST =
      CountedFigures.in(ALL, "merge.forecast.", ForecastSnapshot.FIGURES);

  private MergeFigures() {}

  /** What Weir counted in that window of all merges and no constant above names. */
  public static List<Figure<? extends Number>> counted() {
    return Stream.of(BUDGET, WRITEBACK).flatMap(source -> source.added().stream()).toList();
  }

  /** Whether a large merge of a part foretold anything. */
  public static boolean hasForecast(Part part) {
    return forecast().stream()
        .anyMatch(figure -> part.get(figure).filter(n -> n.longValue() > 0).isPresent());
  }

  /** Of {@link #FORECAST}, in the order of its figures. */
  public static List<Figure<? extends Number>> forecast() {
    return FORECAST.added();
  }

  /** The same for each figure, by the kind of merges. */
  public static Collection<Map<MergeKind, Figure<? extends Number>>> countedByKind() {
    Map<String, Map<MergeKind, Figure<? extends Number>>> byName = new LinkedHashMap<>();
    COUNTED_OF.forEach(
        (kind, source) ->
            source
                .added()
                .forEach(
                    figure ->
                        byName
                            .computeIfAbsent(
                                figure.id().substring(figure.id().lastIndexOf('.') + 1),
                                name -> new EnumMap<>(MergeKind.class))
                            .put(kind, figure)));
    return byName.values();
  }

  /** What merges of one kind counted. */
  public static CountedFigures<MergeKindTotals> counted(MergeKind kind) {
    return COUNTED_OF.get(kind);
  }

  private static FigureBy<MergeKind, Long> count(String ids, String text) {
    return FigureBy.of(EnumSet.allOf(MergeKind.class), ids, id -> ALL.count(id, text));
  }

  private static FigureBy<MergeKind, Long> bytes(String ids, String text) {
    return FigureBy.of(EnumSet.allOf(MergeKind.class), ids, id -> ALL.bytes(id, text));
  }

  private static FigureBy<MergeKind, Double> seconds(String ids, String text) {
    return FigureBy.of(EnumSet.allOf(MergeKind.class), ids, id -> ALL.seconds(id, text));
  }

  /** Whether a large merge ran; with {@code merge=none} time passed without one. */
  public static boolean isMerged(Part arm) {
    return arm.get(KIND).filter(kind -> !kind.equals("none")).isPresent();
  }

  /** Whether one ran to its end. */
  public static boolean isWhole(Part arm) {
    return isMerged(arm) && arm.require(ENDED);
  }
}
