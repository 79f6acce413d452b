package io.weir.report.table;

import static io.weir.report.words.Figures.oneDecimal;
import static io.weir.report.words.Figures.twoDecimals;

import io.weir.figure.Figure;
import io.weir.figure.Unit;
import io.weir.merge.MergeKind;
import io.weir.report.words.ArmRuns;
import io.weir.report.words.Figures;
import io.weir.report.words.SloWords;
import io.weir.run.ArmFigures;
import io.weir.run.CanaryFigures;
import io.weir.run.CanaryFigures.Probe;
import io.weir.run.FigureBy;
import io.weir.run.HostNoise;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.SloResult;
import io.weir.run.SlowCauses;
import io.weir.run.VisibleParts;
import io.weir.run.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The tables of a run with a row for each arm and round, the same for a terminal and a browser. A
 * table of what no arm measured has no rows. The round is a column when there are several.
 *
 * <p>Rows of reopens, searches and the like are grouped by phase, so that the figures of different
 * arms stand below each other.
 */
public final class ArmTables {

  /** The most causes of one arm; the others share one line. */
  private static final int TOP_CAUSES = 5;

  private final Run run;
  private final boolean rounds;

  /** The tables of {@code run}. */
  public ArmTables(Run run) {
    this.run = run;
    this.rounds = ArmRuns.hasRounds(run);
  }

  /** The first columns of most tables. */
  private <R> Sheet<R> ofArms(Sheet<R> sheet, Function<R, Part> arm) {
    return sheet
        .word("arm", row -> arm.apply(row).name())
        .text("round", "", row -> Integer.toString(arm.apply(row).round()))
        .when(rounds);
  }

  private Sheet<Part> ofArms(Sheet<Part> sheet) {
    return ofArms(sheet, arm -> arm);
  }

  /** The arms that have a figure. */
  private List<Part> having(Figure<?> figure) {
    return run.parts().stream().filter(arm -> arm.get(figure).isPresent()).toList();
  }

  private boolean isMeasured(FigureBy<Phase, ?> figures) {
    return Phase.MEASURED.stream().anyMatch(phase -> !having(figures.of(phase)).isEmpty());
  }

  /** An arm in one phase. */
  private record InPhase(Phase phase, Part arm) {

    <T> Optional<T> get(FigureBy<Phase, T> figures) {
      return arm.get(figures, phase);
    }
  }

  private Table byPhase(Sheet<InPhase> sheet) {
    return sheet.groupedBy(InPhase::phase).table(inPhases().toList());
  }

  private Stream<InPhase> inPhases() {
    return Phase.MEASURED.stream()
        .flatMap(phase -> run.parts().stream().map(arm -> new InPhase(phase, arm)));
  }

  private Sheet<InPhase> ofPhases(Sheet<InPhase> empty) {
    return ofArms(empty.word("phase", row -> row.phase().label()).once(), InPhase::arm);
  }

  /** Reopens, how long writes took to be seen, searches, and, if an arm has them, commits. */
  public List<Table> loads() {
    List<Table> tables = new ArrayList<>(List.of(reopens()));
    if (isMeasured(ArmFigures.VISIBLE)) {
      tables.add(latencies("Visibility", "writes", ArmFigures.VISIBLE));
      tables.add(untilVisible());
    }
    tables.add(searches());
    if (isMeasured(ArmFigures.COMMIT.latency())) {
      tables.add(latencies("Commit", "commits", ArmFigures.COMMIT.latency()));
    }
    return tables;
  }

  /** How long reopens took. */
  public Table reopens() {
    return latencies("Reopen", "reopens", ArmFigures.REOPEN);
  }

  private Table latencies(String what, String count, FigureBy<Phase, LatencySummary> latency) {
    return byPhase(
        ofPhases(Sheet.of(what + " latency, from the intended start"))
            .count(count, row -> row.get(latency).map(LatencySummary::count))
            .one("mean", "ms", row -> figure(row.get(latency), LatencySummary::meanMillis))
            .one("p50", "ms", row -> figure(row.get(latency), LatencySummary::p50Millis))
            .one("p90", "ms", row -> p90(row, latency))
            .ifAny()
            .one("p99", "ms", row -> p99(row, latency))
            .ifAny()
            .one("max", "ms", row -> figure(row.get(latency), LatencySummary::maxMillis)));
  }

  /** All writes of an arm in a phase, or the tenth of them that took longest. */
  private record Waited(InPhase in, boolean isSlowest) {

    Optional<Double> millis(Function<VisibleParts, Double> part) {
      return in.get(isSlowest ? ArmFigures.VISIBLE_SLOWEST : ArmFigures.VISIBLE_PARTS).map(part);
    }
  }

  /** Where the time goes until a write is visible: parts that add up to the whole. */
  private Table untilVisible() {
    return ofArms(
            Sheet.<Waited>wide("Until a write is visible: means of all, and of the slowest tenth")
                .word("phase", row -> row.in().phase().label())
                .once(),
            row -> row.in().arm())
        .text("writes", "", row -> row.isSlowest() ? "slowest" : "all")
        .one("whole", "ms", row -> row.millis(VisibleParts::totalMillis))
        .one("sent", "ms", row -> row.millis(VisibleParts::sendMillis))
        .one("written", "ms", row -> row.millis(VisibleParts::writeMillis))
        .one("next reopen", "ms", row -> row.millis(VisibleParts::nextReopenMillis))
        .one("lock", "ms", row -> row.millis(VisibleParts::lockMillis))
        .one("reopen", "ms", row -> row.millis(VisibleParts::reopenMillis))
        .groupedBy(row -> row.in().phase())
        .table(
            inPhases()
                .filter(in -> in.get(ArmFigures.VISIBLE_PARTS).isPresent())
                .flatMap(in -> Stream.of(new Waited(in, false), new Waited(in, true)))
                .toList());
  }

  private Table searches() {
    FigureBy<Phase, LatencySummary> latency = ArmFigures.SEARCH.latency();
    return byPhase(
        ofPhases(Sheet.wide("Searches, from the intended start, and updates"))
            .cell("searches", "/s", row -> achieved(row, ArmFigures.SEARCH))
            .count("count", row -> row.get(latency).map(LatencySummary::count))
            .one("p50", "ms", row -> figure(row.get(latency), LatencySummary::p50Millis))
            .one("p90", "ms", row -> p90(row, latency))
            .ifAny()
            .one("p99", "ms", row -> p99(row, latency))
            .ifAny()
            .one("max", "ms", row -> figure(row.get(latency), LatencySummary::maxMillis))
            .two("recall@10", "", ArmTables::recall)
            .ifAny()
            .cell("updates", "/s", row -> achieved(row, ArmFigures.UPDATE)));
  }

  /** It is that of the last documents, and stands once, after the merge. */
  private static Optional<Double> recall(InPhase row) {
    return row.phase() == Phase.AFTER ? row.arm().get(ArmFigures.RECALL) : Optional.empty();
  }

  private Optional<Double> p90(InPhase row, FigureBy<Phase, LatencySummary> latency) {
    return known(row, latency, LatencySummary.LEAST_FOR_P90, LatencySummary::p90Millis);
  }

  private Optional<Double> p99(InPhase row, FigureBy<Phase, LatencySummary> latency) {
    return known(row, latency, LatencySummary.LEAST_FOR_P99, LatencySummary::p99Millis);
  }

  /** A percentile that the arm had enough operations for in that phase of its rounds. */
  private Optional<Double> known(
      InPhase row,
      FigureBy<Phase, LatencySummary> latency,
      long least,
      Function<LatencySummary, Double> percentile) {
    List<LatencySummary> ofRounds =
        run.rounds(row.arm().name()).stream()
            .flatMap(round -> round.get(latency, row.phase()).stream())
            .toList();
    return LatencySummary.together(ofRounds) >= least
        ? figure(row.get(latency), percentile)
        : Optional.empty();
  }

  /** Empty of no operations, whose latencies are not 0. */
  private static Optional<Double> figure(
      Optional<LatencySummary> latency, Function<LatencySummary, Double> of) {
    return latency.filter(summary -> summary.count() > 0).map(of);
  }

  /** The rate done, with the rate asked for beside it when they differ by more than 1 %. */
  private static Optional<String> achieved(InPhase row, Work work) {
    return row.get(work.achieved())
        .map(
            achieved -> {
              double asked = row.get(work.asked()).orElseThrow();
              boolean kept = Math.abs(achieved - asked) <= 0.01 * asked + 0.05;
              return oneDecimal(achieved) + (kept ? "" : " of " + Figures.brief(asked));
            });
  }

  /**
   * The merge of each arm, and what it did to the machine. What Weir counted of it and no column is
   * made for has one at the end.
   */
  public Table merges() {
    Sheet<MergeRow> sheet =
        ofArms(
                Sheet.<MergeRow>wide("The merge, and the dirty pages of the whole arm"),
                MergeRow::arm)
            .cell("kind", "", MergeRow::kind)
            .cell("took", "s", MergeRow::took)
            .one("rate", "MB/s", MergeRow::megabytesPerSecond)
            .megabytes(
                "written", row -> row.either(MergeFigures.BYTES_OF, MergeFigures.BYTES_WRITTEN))
            .cell("charged", "MB", row -> row.critical() ? Optional.empty() : charged(row.arm()))
            .one(
                "paused",
                "s",
                row -> row.either(MergeFigures.PAUSED_SECONDS_OF, MergeFigures.PAUSED_SECONDS))
            .megabytes("peak dirty", row -> row.ofMerge(ArmFigures.DIRTY_PEAK));
    for (Figure<? extends Number> figure : MergeFigures.counted()) {
      sheet =
          sheet
              .cell(
                  column(figure),
                  figure.unit().symbol(),
                  row -> row.ofMerge(figure).map(Number::toString))
              .ifAny();
    }
    for (Map<MergeKind, Figure<? extends Number>> counted : MergeFigures.countedByKind()) {
      Figure<? extends Number> any = counted.get(MergeKind.FORCED);
      sheet = sheet.one(column(any), any.unit().symbol(), row -> row.counted(counted)).ifAny();
    }
    return sheet.table(run.parts().stream().flatMap(MergeRow::of).toList());
  }

  /** What large merges foretold, of those arms that had one; the bytes that are both are hits. */
  public Table forecasts() {
    Sheet<Part> sheet =
        ofArms(
            Sheet.of(
                "Large merges: pages kept for searches (foretold), and those used a second later"));
    for (Figure<? extends Number> figure : MergeFigures.forecast()) {
      sheet =
          figure.unit() == Unit.BYTES
              ? sheet.one(
                  column(figure), "MB", arm -> arm.get(figure).map(n -> n.doubleValue() / 1e6))
              : sheet.cell(column(figure), "", arm -> arm.get(figure).map(Number::toString));
    }
    return sheet.table(run.parts().stream().filter(MergeFigures::hasForecast).toList());
  }

  /** The last part of its name, without the unit, which has a line of its own. */
  private static String column(Figure<?> figure) {
    String name = figure.id().substring(figure.id().lastIndexOf('.') + 1);
    String unit = figure.unit().word();
    return name.endsWith(unit) ? name.substring(0, name.length() - unit.length()) : name;
  }

  /** {@code = written}, or the difference, which the budget promises never to be. */
  public static Optional<String> charged(Part arm) {
    return arm.get(MergeFigures.BYTES_CHARGED)
        .flatMap(
            charged ->
                arm.get(MergeFigures.BYTES_WRITTEN).map(written -> difference(charged - written)));
  }

  private static String difference(long more) {
    return more == 0
        ? "= written"
        : (more > 0 ? "+" : "-") + Figures.bytes(Math.abs((double) more));
  }

  /** Whether the merge of each arm was done by its deadline, and whether that could be foreseen. */
  public Table deadlines() {
    return ofArms(
            Sheet.of(
                "Deadline of the merge; what was left after a third of it, as predicted and as it"
                    + " was"))
        .one("deadline", "s", arm -> arm.get(MergeFigures.DEADLINE))
        .one("took", "s", arm -> arm.get(MergeFigures.SECONDS))
        .one("spare", "s", arm -> arm.get(MergeFigures.DEADLINE_SPARE))
        .one("predicted", "s", arm -> arm.get(MergeFigures.DEADLINE_PREDICTED))
        .one("was", "s", arm -> arm.get(MergeFigures.DEADLINE_ACTUAL))
        .one("off by", "%", arm -> arm.get(MergeFigures.DEADLINE_OFF))
        .table(having(MergeFigures.DEADLINE));
  }

  /** How long the collector of each arm stopped all threads; without rows if no arm reported it. */
  public Table pauses() {
    return ofArms(Sheet.of("Pauses of the garbage collector during the merge"))
        .count("pauses", arm -> arm.get(ArmFigures.GC_PAUSES, Phase.DURING))
        .two("p99", "ms", arm -> arm.get(ArmFigures.GC_P99, Phase.DURING))
        .two(
            "longest",
            "ms",
            arm -> arm.get(ArmFigures.GC_LONGEST, Phase.DURING).filter(any -> hasPaused(arm)))
        .two("total", "ms", arm -> arm.get(ArmFigures.GC_PAUSED, Phase.DURING))
        .two("of the time", "%", ArmTables::pausedPercent)
        .table(isMeasured(ArmFigures.GC_PAUSES) ? run.measured().toList() : List.of());
  }

  private static boolean hasPaused(Part arm) {
    return arm.require(ArmFigures.GC_PAUSES, Phase.DURING) > 0;
  }

  private static Optional<Double> pausedPercent(Part arm) {
    return arm.get(ArmFigures.GC_PAUSED, Phase.DURING)
        .flatMap(
            millis ->
                arm.get(ArmFigures.PHASE_SECONDS, Phase.DURING)
                    .filter(seconds -> seconds > 0)
                    .map(seconds -> millis / seconds / 10));
  }

  /** The state of the page cache in each arm, and the bytes that the arm read from storage. */
  public Table cache() {
    return ofArms(
            Sheet.<Part>wide(
                "Page cache: share of the index in it when opened; bytes read from storage; faults"
                    + " during"))
        .cell("requested", "", arm -> arm.get(ArmFigures.CACHE_ASKED))
        .one("in cache", "%", arm -> arm.get(ArmFigures.RESIDENT_SHARE).map(share -> 100 * share))
        .megabytes("warm-up", arm -> arm.get(ArmFigures.WARM_UP_READ_BYTES))
        .megabytes("before", arm -> arm.get(ArmFigures.READ_BYTES, Phase.BEFORE))
        .megabytes("during", arm -> arm.get(ArmFigures.READ_BYTES, Phase.DURING))
        .megabytes("after", arm -> arm.get(ArmFigures.READ_BYTES, Phase.AFTER))
        .count("faults", arm -> arm.get(ArmFigures.MAJOR_FAULTS, Phase.DURING))
        .megabytes("refaulted during", arm -> arm.get(ArmFigures.REFAULTED_BYTES, Phase.DURING))
        .ifAny()
        .megabytes("refaulted after", arm -> arm.get(ArmFigures.REFAULTED_BYTES, Phase.AFTER))
        .ifAny()
        .table(having(ArmFigures.CACHE_ASKED));
  }

  /** How quiet the machine was while the arms ran: no latency can be better. */
  public Table noise() {
    return ofArms(
            Sheet.of(
                "Noise: how late an idle thread woke up, in the arm and in an idle JVM; other"
                    + " writes"))
        .two("arm p99", "ms", arm -> hiccups(arm).map(LatencySummary::p99Millis))
        .one("arm max", "ms", arm -> hiccups(arm).map(LatencySummary::maxMillis))
        .two("idle p99", "ms", arm -> idle(arm).map(LatencySummary::p99Millis))
        .one("idle max", "ms", arm -> idle(arm).map(LatencySummary::maxMillis))
        .one("stolen", "%", arm -> host(arm).flatMap(HostNoise::stealPercent))
        .megabytes("others wrote", arm -> host(arm).flatMap(HostNoise::foreignDirtiedBytes))
        .table(
            run.parts().stream()
                .filter(arm -> idle(arm).isPresent() || hiccups(arm).isPresent())
                .toList());
  }

  /** What the machine did before each arm: the same was asked of it each time. */
  public Table canaries() {
    Sheet<Part> sheet = ofArms(Sheet.of("The machine before each arm: medians of the same work"));
    for (Probe probe : Probe.values()) {
      sheet =
          sheet
              .count(
                  probe.name().toLowerCase(Locale.ROOT) + "s",
                  arm -> arm.get(CanaryFigures.TOOK, probe).map(LatencySummary::count))
              .two(
                  "took",
                  "ms",
                  arm -> figure(arm.get(CanaryFigures.TOOK, probe), LatencySummary::p50Millis));
    }
    return sheet.table(having(CanaryFigures.TOOK.of(Probe.SYNC)));
  }

  private static Optional<LatencySummary> idle(Part arm) {
    return arm.get(ArmFigures.NOISE_CONTROL);
  }

  private static Optional<HostNoise> host(Part arm) {
    return arm.get(ArmFigures.NOISE_HOST, Phase.DURING);
  }

  private static Optional<LatencySummary> hiccups(Part arm) {
    return arm.get(ArmFigures.HICCUPS, Phase.DURING).filter(hiccups -> hiccups.count() > 0);
  }

  /** The floor and the cost of the measurement, and whether the arm was steady. */
  public Table instrument() {
    return ofArms(
            Sheet.wide(
                "Instrument: latency of an empty operation, processor time of measuring, samples,"
                    + " warm-up"))
        .two("floor p50", "ms", arm -> hiccups(arm).map(LatencySummary::p50Millis))
        .two("floor p99", "ms", arm -> hiccups(arm).map(LatencySummary::p99Millis))
        .two("measuring", "% CPU", arm -> arm.get(ArmFigures.INSTRUMENT_CPU_PERCENT))
        .text("missed", "samples", ArmTables::missed)
        .one("longest gap", "ms", arm -> arm.get(ArmFigures.LONGEST_GAP))
        .one("warm-up", "s", arm -> arm.get(ArmFigures.WARM_UP_SECONDS))
        .cell(
            "steady",
            "",
            arm -> arm.get(ArmFigures.WARM_UP_STEADY).map(steady -> steady ? "yes" : "no"))
        .table(run.measured().toList());
  }

  private static String missed(Part arm) {
    long missed = arm.require(ArmFigures.MISSED_SAMPLES);
    return "%d of %d".formatted(missed, arm.require(ArmFigures.SAMPLES) + missed);
  }

  /** Whether the arms met the objectives. */
  public Table slos() {
    return Sheet.<SloResult>wide("Objectives, by the median of rounds")
        .word("arm", SloResult::arm)
        .word("objective", SloResult::slo)
        .text("measured", "", SloWords::measured)
        .text("", "", slo -> slo.met() ? "met" : "missed")
        .table(run.slos());
  }

  /**
   * A cause of slow reopens, or all of an arm.
   *
   * @param reopens empty for several causes, since one reopen may have several
   */
  private record Lost(
      Part arm, boolean isAll, String cause, double share, double seconds, Optional<Long> reopens) {

    static Lost of(Part arm, SlowCauses.Cause cause) {
      return new Lost(
          arm, false, cause.label(), cause.share(), cause.seconds(), Optional.of(cause.reopens()));
    }

    static Lost of(Part arm, List<SlowCauses.Cause> others) {
      return new Lost(
          arm,
          false,
          others.size() + " other causes",
          others.stream().mapToDouble(SlowCauses.Cause::share).sum(),
          others.stream().mapToDouble(SlowCauses.Cause::seconds).sum(),
          Optional.empty());
    }
  }

  /** The causes of slow reopens during the merge, by arm, the largest first. */
  public Table slowReopens() {
    List<Part> slow =
        run.parts().stream()
            .filter(arm -> arm.get(ArmFigures.SLOW_REOPENS, Phase.DURING).orElse(0L) > 0)
            .toList();
    return Sheet.<Lost>of(
            "Why reopens were slow during the merge: time of those over %d ms"
                .formatted(slow.isEmpty() ? 0 : slow.getLast().require(ArmFigures.SLOW_THRESHOLD)))
        .groupedBy(Lost::arm)
        .word("arm", row -> row.isAll() ? row.arm().name() : "")
        .word("cause", Lost::cause)
        .text("round", "", row -> row.isAll() ? Integer.toString(row.arm().round()) : "")
        .when(rounds)
        .text("share", "%", row -> oneDecimal(row.share() * 100))
        .text("lost", "s", row -> twoDecimals(row.seconds()))
        .text("reopens", "", row -> row.reopens().map(String::valueOf).orElse(""))
        .table(slow.stream().flatMap(ArmTables::lost).toList());
  }

  private static Stream<Lost> lost(Part arm) {
    List<SlowCauses.Cause> causes = arm.require(ArmFigures.SLOW_CAUSES, Phase.DURING).list();
    int top = causes.size() <= TOP_CAUSES + 1 ? causes.size() : TOP_CAUSES;
    List<SlowCauses.Cause> others = causes.subList(top, causes.size());
    return Stream.of(
            Stream.of(
                new Lost(
                    arm,
                    true,
                    "all",
                    1,
                    arm.require(ArmFigures.SLOW_LOST, Phase.DURING),
                    arm.get(ArmFigures.SLOW_REOPENS, Phase.DURING))),
            causes.subList(0, top).stream().map(cause -> Lost.of(arm, cause)),
            Stream.of(others).filter(rest -> !rest.isEmpty()).map(rest -> Lost.of(arm, rest)))
        .flatMap(lines -> lines);
  }
}
