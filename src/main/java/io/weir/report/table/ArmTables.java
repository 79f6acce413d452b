package io.weir.report.table;

import static io.weir.report.words.Figures.oneDecimal;
import static io.weir.report.words.Figures.twoDecimals;

import io.weir.report.words.ArmRuns;
import io.weir.report.words.Figures;
import io.weir.report.words.SloWords;
import io.weir.stress.result.ArmNoise;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.CacheResult;
import io.weir.stress.result.DeadlineResult;
import io.weir.stress.result.DeadlineResult.Prediction;
import io.weir.stress.result.DirtyResult;
import io.weir.stress.result.GcPauses;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.InstrumentResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.LoadResult;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.MergePauses;
import io.weir.stress.result.MergePauses.PausedMerges;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.SloResult;
import io.weir.stress.result.SlowReopenCause;
import io.weir.stress.result.SlowReopenResult;
import io.weir.stress.result.StorageReads;
import io.weir.stress.result.WarmUpResult;
import java.util.ArrayList;
import java.util.List;
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

  private final RunResult run;
  private final boolean rounds;

  /** The tables of {@code run}. */
  public ArmTables(RunResult run) {
    this.run = run;
    this.rounds = ArmRuns.hasRounds(run);
  }

  private List<MeasuredArm> measured() {
    return ArmResult.measured(run.arms()).toList();
  }

  /** The first columns of most tables. */
  private <R> Sheet<R> ofArms(Sheet<R> sheet, Function<R, ArmResult> arm) {
    return sheet
        .word("arm", row -> arm.apply(row).name())
        .text("round", "", row -> Integer.toString(arm.apply(row).round()))
        .when(rounds);
  }

  /** An arm in one phase. */
  private record InPhase(Phase phase, ArmResult arm) {

    <T> Optional<T> of(Function<MeasuredArm, Optional<Phases<Optional<T>>>> figure) {
      return arm.figures().flatMap(figure).flatMap(phases -> phases.get(phase));
    }
  }

  private Table byPhase(Sheet<InPhase> sheet) {
    return sheet
        .groupedBy(InPhase::phase)
        .table(
            Phase.MEASURED.stream()
                .flatMap(phase -> run.arms().stream().map(arm -> new InPhase(phase, arm)))
                .toList());
  }

  private Sheet<InPhase> ofPhases(String title) {
    return ofArms(
        Sheet.<InPhase>of(title).word("phase", row -> row.phase().label()).once(), InPhase::arm);
  }

  /** Reopens, searches, and, if an arm has them, how long updates took to be seen, and commits. */
  public List<Table> loads() {
    List<Table> tables = new ArrayList<>(List.of(reopens(), searches()));
    if (measured().stream().anyMatch(arm -> arm.visible().isPresent())) {
      tables.add(
          latencies(
              "Visibility",
              "bulks",
              row ->
                  row.arm()
                      .figures()
                      .flatMap(MeasuredArm::visible)
                      .map(phases -> phases.get(row.phase()))));
    }
    if (measured().stream().anyMatch(arm -> arm.commit().isPresent())) {
      tables.add(
          latencies(
              "Commit", "commits", row -> row.of(MeasuredArm::commit).map(LoadResult::latency)));
    }
    return tables;
  }

  /** How long reopens took. */
  public Table reopens() {
    return latencies(
        "Reopen",
        "reopens",
        row -> row.arm().figures().map(figures -> figures.reopen().get(row.phase())));
  }

  private Table latencies(
      String what, String count, Function<InPhase, Optional<LatencySummary>> latency) {
    return byPhase(
        ofPhases(what + " latency, from the intended start")
            .count(count, row -> latency.apply(row).map(LatencySummary::count))
            .one("mean", "ms", row -> figure(latency.apply(row), LatencySummary::meanMillis))
            .one("p50", "ms", row -> figure(latency.apply(row), LatencySummary::p50Millis))
            .one("p90", "ms", row -> figure(latency.apply(row), LatencySummary::p90Millis))
            .one("p99", "ms", row -> figure(latency.apply(row), LatencySummary::p99Millis))
            .one("max", "ms", row -> figure(latency.apply(row), LatencySummary::maxMillis)));
  }

  private Table searches() {
    Function<InPhase, Optional<LoadResult>> search = row -> row.of(MeasuredArm::search);
    Function<InPhase, Optional<LatencySummary>> latency =
        row -> search.apply(row).map(LoadResult::latency);
    return byPhase(
        ofPhases("Searches, from the intended start, and updates")
            .cell("searches", "/s", row -> search.apply(row).map(ArmTables::achieved))
            .one("p50", "ms", row -> figure(latency.apply(row), LatencySummary::p50Millis))
            .one("p99", "ms", row -> figure(latency.apply(row), LatencySummary::p99Millis))
            .one("max", "ms", row -> figure(latency.apply(row), LatencySummary::maxMillis))
            .cell("updates", "/s", row -> row.of(MeasuredArm::update).map(ArmTables::achieved)));
  }

  /** Empty of no operations, whose latencies are not 0. */
  private static Optional<Double> figure(
      Optional<LatencySummary> latency, Function<LatencySummary, Double> of) {
    return latency.filter(summary -> summary.count() > 0).map(of);
  }

  /** The rate done, with the rate asked for beside it when they differ by more than 1 %. */
  private static String achieved(LoadResult load) {
    String done = oneDecimal(load.achievedPerSecond());
    boolean kept =
        Math.abs(load.achievedPerSecond() - load.askedPerSecond())
            <= 0.01 * load.askedPerSecond() + 0.05;
    return kept ? done : done + " of " + Figures.brief(load.askedPerSecond());
  }

  /**
   * The merge of an arm, or the merges in the same window that reopens and commits waited for.
   *
   * @param dirty of the whole arm
   */
  private record Merged(
      ArmResult arm,
      Optional<MergeResult> merge,
      Optional<PausedMerges> critical,
      Optional<DirtyResult> dirty) {

    static Stream<Merged> of(ArmResult arm) {
      Optional<MergeResult> merge = arm.figures().flatMap(MeasuredArm::merge);
      return Stream.concat(
          Stream.of(
              new Merged(arm, merge, Optional.empty(), arm.figures().flatMap(MeasuredArm::dirty))),
          merge.flatMap(MergeResult::pauses).map(MergePauses::critical).stream()
              .filter(critical -> critical.merges() > 0)
              .map(c -> new Merged(arm, Optional.empty(), Optional.of(c), Optional.empty())));
    }

    Optional<String> kind() {
      return critical.map(c -> c.merges() + " critical").or(() -> merge.map(MergeResult::kind));
    }

    Optional<Double> megabytesPerSecond() {
      return merge
          .filter(m -> m.seconds() > 0)
          .flatMap(m -> m.bytesWritten().map(bytes -> bytes / 1e6 / m.seconds()));
    }

    Optional<Long> written() {
      return critical.map(PausedMerges::bytes).or(() -> merge.flatMap(MergeResult::bytesWritten));
    }

    Optional<Double> paused() {
      return critical
          .map(PausedMerges::pausedSeconds)
          .or(() -> merge.flatMap(MergeResult::pausedSeconds));
    }
  }

  /** The merge of each arm, and what it did to the machine. */
  public Table merges() {
    return ofArms(
            Sheet.<Merged>wide("The merge, and the dirty pages of the whole arm"), Merged::arm)
        .cell("kind", "", Merged::kind)
        .cell(
            "took",
            "s",
            row -> row.merge().map(m -> (m.ended() ? "" : "> ") + oneDecimal(m.seconds())))
        .one("rate", "MB/s", Merged::megabytesPerSecond)
        .megabytes("written", Merged::written)
        .cell("charged", "MB", row -> row.merge().flatMap(ArmTables::charged))
        .one("paused", "s", Merged::paused)
        .megabytes("peak dirty", row -> row.dirty().map(DirtyResult::peakBytes))
        .table(run.arms().stream().flatMap(Merged::of).toList());
  }

  /** {@code = written}, or the difference, which the budget promises never to be. */
  public static Optional<String> charged(MergeResult merge) {
    return merge
        .bytesCharged()
        .flatMap(charged -> merge.bytesWritten().map(written -> difference(charged - written)));
  }

  private static String difference(long more) {
    return more == 0
        ? "= written"
        : (more > 0 ? "+" : "-") + Figures.bytes(Math.abs((double) more));
  }

  private record Due(ArmResult arm, MergeResult merge, DeadlineResult deadline) {

    Optional<Double> left(Function<Prediction, Double> of) {
      return deadline.afterThird().map(of);
    }
  }

  /** Whether the merge of each arm was done by its deadline, and whether that could be foreseen. */
  public Table deadlines() {
    return ofArms(
            Sheet.<Due>of(
                "Deadline of the merge; what was left after a third of it, as predicted and as it"
                    + " was"),
            Due::arm)
        .text("deadline", "s", row -> oneDecimal(row.deadline().seconds()))
        .text("took", "s", row -> oneDecimal(row.merge().seconds()))
        .text("spare", "s", row -> oneDecimal(row.deadline().spareSeconds()))
        .one("predicted", "s", row -> row.left(Prediction::predictedSeconds))
        .one("was", "s", row -> row.left(Prediction::actualSeconds))
        .one("off by", "%", row -> row.left(Prediction::offPercent))
        .table(
            measured().stream()
                .flatMap(
                    arm ->
                        arm.merge().stream()
                            .flatMap(
                                merge ->
                                    merge.deadline().stream().map(due -> new Due(arm, merge, due))))
                .toList());
  }

  /** How long the collector of each arm stopped all threads; without rows if no arm reported it. */
  public Table pauses() {
    boolean reported = measured().stream().anyMatch(arm -> arm.gc().pauses().isPresent());
    return ofArms(
            Sheet.<MeasuredArm>of("Pauses of the garbage collector during the merge"), arm -> arm)
        .count("pauses", arm -> pauses(arm).map(GcPauses::count))
        .two("p99", "ms", arm -> pauses(arm).flatMap(GcPauses::p99Millis))
        .two(
            "longest",
            "ms",
            arm -> pauses(arm).filter(gc -> gc.count() > 0).map(GcPauses::longestMillis))
        .two("total", "ms", arm -> pauses(arm).map(GcPauses::totalMillis))
        .two("of the time", "%", ArmTables::pausedPercent)
        .table(reported ? measured() : List.of());
  }

  private static Optional<GcPauses> pauses(MeasuredArm arm) {
    return arm.gc().pauses().flatMap(Phases::during);
  }

  private static Optional<Double> pausedPercent(MeasuredArm arm) {
    return pauses(arm)
        .flatMap(
            pauses ->
                arm.phaseSeconds()
                    .during()
                    .filter(seconds -> seconds > 0)
                    .map(seconds -> pauses.totalMillis() / seconds / 10));
  }

  private record Cached(ArmResult arm, CacheResult cache) {}

  /** The state of the page cache in each arm, and the bytes that the arm read from storage. */
  public Table cache() {
    return ofArms(
            Sheet.<Cached>of(
                "Page cache: share of the index in it when opened; bytes read from storage; faults"
                    + " during"),
            Cached::arm)
        .text("requested", "", row -> row.cache().asked())
        .one("in cache", "%", row -> row.cache().residentShare().map(share -> 100 * share))
        .megabytes("warm-up", row -> row.cache().warmup().flatMap(StorageReads::readBytes))
        .megabytes("before", row -> read(row, Phase.BEFORE, StorageReads::readBytes))
        .megabytes("during", row -> read(row, Phase.DURING, StorageReads::readBytes))
        .megabytes("after", row -> read(row, Phase.AFTER, StorageReads::readBytes))
        .count("faults", row -> read(row, Phase.DURING, StorageReads::majorFaults))
        .table(
            run.arms().stream()
                .flatMap(arm -> arm.cache().stream().map(cache -> new Cached(arm, cache)))
                .toList());
  }

  private static Optional<Long> read(
      Cached row, Phase phase, Function<StorageReads, Optional<Long>> of) {
    return row.cache().phases().get(phase).flatMap(of);
  }

  private record Noisy(ArmResult arm, ArmNoise noise) {

    Optional<Double> host(Function<HostNoise, Optional<Double>> of) {
      return noise.host().flatMap(Phases::during).flatMap(of);
    }
  }

  /** How quiet the machine was while the arms ran: no latency can be better. */
  public Table noise() {
    return ofArms(
            Sheet.<Noisy>of(
                "Noise: how late an idle thread woke up, in the arm and in an idle JVM; other"
                    + " writes"),
            Noisy::arm)
        .two("arm p99", "ms", row -> hiccups(row.noise()).map(LatencySummary::p99Millis))
        .one("arm max", "ms", row -> hiccups(row.noise()).map(LatencySummary::maxMillis))
        .two("idle p99", "ms", row -> row.noise().control().map(LatencySummary::p99Millis))
        .one("idle max", "ms", row -> row.noise().control().map(LatencySummary::maxMillis))
        .one("stolen", "%", row -> row.host(HostNoise::stealPercent))
        .megabytes(
            "others wrote",
            row ->
                row.noise().host().flatMap(Phases::during).flatMap(HostNoise::foreignDirtiedBytes))
        .table(
            run.arms().stream()
                .flatMap(arm -> arm.noise().stream().map(noise -> new Noisy(arm, noise)))
                .toList());
  }

  /** The floor and the cost of the measurement, and whether the arm was steady. */
  public Table instrument() {
    return ofArms(
            Sheet.<MeasuredArm>wide(
                "Instrument: latency of an empty operation, processor time of measuring, samples,"
                    + " warm-up"),
            arm -> arm)
        .two("floor p50", "ms", arm -> floor(arm).map(LatencySummary::p50Millis))
        .two("floor p99", "ms", arm -> floor(arm).map(LatencySummary::p99Millis))
        .two("measuring", "% CPU", arm -> arm.instrument().cpuPercent())
        .text("missed", "samples", arm -> missed(arm.instrument()))
        .text("longest gap", "ms", arm -> oneDecimal(arm.instrument().longestGapMillis()))
        .one("warm-up", "s", arm -> arm.warmUp().map(WarmUpResult::seconds))
        .cell(
            "steady",
            "",
            arm -> arm.warmUp().flatMap(WarmUpResult::steady).map(steady -> steady ? "yes" : "no"))
        .table(measured());
  }

  private static String missed(InstrumentResult instrument) {
    return "%d of %d"
        .formatted(instrument.missedSamples(), instrument.samples() + instrument.missedSamples());
  }

  private static Optional<LatencySummary> floor(MeasuredArm arm) {
    return arm.noise().flatMap(ArmTables::hiccups);
  }

  private static Optional<LatencySummary> hiccups(ArmNoise noise) {
    return noise.hiccups().map(Phases::during).filter(hiccups -> hiccups.count() > 0);
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
      MeasuredArm arm,
      boolean isAll,
      String cause,
      double share,
      double seconds,
      Optional<Long> reopens) {

    static Lost of(MeasuredArm arm, SlowReopenCause cause) {
      return new Lost(
          arm, false, cause.label(), cause.share(), cause.seconds(), Optional.of(cause.reopens()));
    }

    static Lost of(MeasuredArm arm, List<SlowReopenCause> others) {
      return new Lost(
          arm,
          false,
          others.size() + " other causes",
          others.stream().mapToDouble(SlowReopenCause::share).sum(),
          others.stream().mapToDouble(SlowReopenCause::seconds).sum(),
          Optional.empty());
    }
  }

  /** The causes of slow reopens during the merge, by arm, the largest first. */
  public Table slowReopens() {
    List<MeasuredArm> slow =
        measured().stream().filter(arm -> arm.slowReopens().reopens().during() > 0).toList();
    return Sheet.<Lost>of(
            "Why reopens were slow during the merge: time of those over %d ms"
                .formatted(slow.isEmpty() ? 0 : slow.getLast().slowReopens().thresholdMillis()))
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

  private static Stream<Lost> lost(MeasuredArm arm) {
    SlowReopenResult slow = arm.slowReopens();
    List<SlowReopenCause> causes = slow.causes().during();
    int top = causes.size() <= TOP_CAUSES + 1 ? causes.size() : TOP_CAUSES;
    List<SlowReopenCause> others = causes.subList(top, causes.size());
    return Stream.of(
            Stream.of(
                new Lost(
                    arm,
                    true,
                    "all",
                    1,
                    slow.lostSeconds().during(),
                    Optional.of(slow.reopens().during()))),
            causes.subList(0, top).stream().map(cause -> Lost.of(arm, cause)),
            Stream.of(others).filter(rest -> !rest.isEmpty()).map(rest -> Lost.of(arm, rest)))
        .flatMap(lines -> lines);
  }
}
