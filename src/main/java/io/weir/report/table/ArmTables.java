package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.LoadResult;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.MergePauses;
import io.weir.stress.result.MergePauses.PausedMerges;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The tables of a run, the same for a terminal and a browser: reopens, the merge, searches, and, if
 * an arm has them, how long updates took to become visible, and commits.
 *
 * <p>Rows are grouped by phase, so that the figures of different arms stand below each other.
 */
public final class ArmTables {
  private ArmTables() {}

  /** All of them, in the order in which a terminal shows them. */
  public static List<Table> of(RunResult run) {
    List<Table> tables = new ArrayList<>(loads(run));
    tables.add(1, merge(run));
    return tables;
  }

  /** The merge of each arm, and what it did to the machine. */
  public static Table merge(RunResult run) {
    return withRoundsIfAny(run, merges(run));
  }

  /** Reopens, searches, and what else an arm has. */
  public static List<Table> loads(RunResult run) {
    List<Table> tables = new ArrayList<>(List.of(reopens(run), searches(run)));
    if (run.arms().stream().anyMatch(arm -> visible(arm).isPresent())) {
      tables.add(visible(run));
    }
    if (run.arms().stream().anyMatch(arm -> commits(arm).isPresent())) {
      tables.add(commits(run));
    }
    return tables.stream().map(table -> withRoundsIfAny(run, table)).toList();
  }

  private static Table withRoundsIfAny(RunResult run, Table table) {
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return rounds ? table : table.without("round");
  }

  private static Table reopens(RunResult run) {
    return latencies(
        run,
        "Reopen",
        "reopens",
        (arm, phase) -> arm.figures().map(figures -> figures.reopen().get(phase)));
  }

  private static Table visible(RunResult run) {
    return latencies(
        run, "Visibility", "bulks", (arm, phase) -> visible(arm).map(phases -> phases.get(phase)));
  }

  private static Optional<Phases<LatencySummary>> visible(ArmResult arm) {
    return arm.figures().flatMap(MeasuredArm::visible);
  }

  private static Table commits(RunResult run) {
    return latencies(
        run,
        "Commit",
        "commits",
        (arm, phase) -> commits(arm).flatMap(phases -> phases.get(phase)).map(LoadResult::latency));
  }

  private static Optional<Phases<Optional<LoadResult>>> commits(ArmResult arm) {
    return arm.figures().flatMap(MeasuredArm::commit);
  }

  private static Table latencies(
      RunResult run,
      String what,
      String count,
      BiFunction<ArmResult, Phase, Optional<LatencySummary>> of) {
    List<Column> columns =
        columns("phase:,arm:,round:," + count + ":,mean:ms,p50:ms,p90:ms,p99:ms,max:ms");
    List<Row> rows = new ArrayList<>();
    for (Phase phase : Phase.MEASURED) {
      boolean first = true;
      for (ArmResult arm : run.arms()) {
        Optional<LatencySummary> latency = of.apply(arm, phase);
        Cells cells = labels(phase, first, arm);
        cells.add(latency.map(summary -> Long.toString(summary.count())));
        cells.add(figure(latency, LatencySummary::meanMillis));
        addPercentiles(cells, latency, true);
        rows.add(cells.row(first && phase != Phase.BEFORE));
        first = false;
      }
    }
    return new Table(what + " latency, from the intended start", columns, 2, rows);
  }

  private static Table merges(RunResult run) {
    List<Column> columns =
        columns("arm:,round:,kind:,took:s,rate:MB/s,written:MB,charged:MB,paused:s,peak dirty:MB");
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      rows.add(mergeRow(arm));
      merge(arm)
          .flatMap(MergeResult::pauses)
          .map(MergePauses::critical)
          .filter(critical -> critical.merges() > 0)
          .ifPresent(critical -> rows.add(criticalRow(arm, critical)));
    }
    return new Table("The merge, and the dirty pages of the whole arm", columns, 1, rows);
  }

  private static Row mergeRow(ArmResult arm) {
    Cells cells = Cells.of(arm.name(), Integer.toString(arm.round()));
    merge(arm).ifPresentOrElse(merge -> addMerge(cells, merge), () -> cells.addEmpty(6));
    return cells
        .add(
            arm.figures()
                .flatMap(MeasuredArm::dirty)
                .map(dirty -> Figures.megabytes(dirty.peakBytes())))
        .row(false);
  }

  private static void addMerge(Cells cells, MergeResult merge) {
    cells
        .add(merge.kind())
        .add((merge.ended() ? "" : "> ") + Figures.oneDecimal(merge.seconds()))
        .add(
            merge
                .bytesWritten()
                .filter(bytes -> merge.seconds() > 0)
                .map(bytes -> Figures.oneDecimal(bytes / 1e6 / merge.seconds())))
        .add(merge.bytesWritten().map(Figures::megabytes))
        .add(charged(merge))
        .add(merge.pausedSeconds().map(Figures::oneDecimal));
  }

  private static Optional<MergeResult> merge(ArmResult arm) {
    return arm.figures().flatMap(MeasuredArm::merge);
  }

  /** The merges in the same window that reopens and commits waited for. */
  private static Row criticalRow(ArmResult arm, PausedMerges critical) {
    return Cells.of(arm.name(), Integer.toString(arm.round()), critical.merges() + " critical")
        .addEmpty(2)
        .add(Figures.megabytes(critical.bytes()))
        .addEmpty(1)
        .add(Figures.oneDecimal(critical.pausedSeconds()))
        .addEmpty(1)
        .row(false);
  }

  private static Table searches(RunResult run) {
    List<Column> columns =
        columns("phase:,arm:,round:,searches:/s,p50:ms,p99:ms,max:ms,updates:/s");
    List<Row> rows = new ArrayList<>();
    for (Phase phase : Phase.MEASURED) {
      boolean first = true;
      for (ArmResult arm : run.arms()) {
        Optional<MeasuredArm> figures = arm.figures();
        Optional<LoadResult> search =
            figures.flatMap(MeasuredArm::search).flatMap(phases -> phases.get(phase));
        Optional<LoadResult> update =
            figures.flatMap(MeasuredArm::update).flatMap(phases -> phases.get(phase));
        Cells cells = labels(phase, first, arm);
        cells.add(search.map(ArmTables::achieved));
        addPercentiles(cells, search.map(LoadResult::latency), false);
        cells.add(update.map(ArmTables::achieved));
        rows.add(cells.row(first && phase != Phase.BEFORE));
        first = false;
      }
    }
    return new Table("Searches, from the intended start, and updates", columns, 2, rows);
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

  /** The rate done, with the rate asked for beside it when they differ by more than 1 %. */
  private static String achieved(LoadResult load) {
    String done = Figures.oneDecimal(load.achievedPerSecond());
    boolean kept =
        Math.abs(load.achievedPerSecond() - load.askedPerSecond())
            <= 0.01 * load.askedPerSecond() + 0.05;
    return kept ? done : done + " of " + Figures.brief(load.askedPerSecond());
  }

  private static Cells labels(Phase phase, boolean first, ArmResult arm) {
    return Cells.of(first ? phase.label() : "", arm.name(), Integer.toString(arm.round()));
  }

  private static void addPercentiles(
      Cells cells, Optional<LatencySummary> latency, boolean withP90) {
    cells.add(figure(latency, LatencySummary::p50Millis));
    if (withP90) {
      cells.add(figure(latency, LatencySummary::p90Millis));
    }
    cells.add(figure(latency, LatencySummary::p99Millis));
    cells.add(figure(latency, LatencySummary::maxMillis));
  }

  private static Optional<String> figure(
      Optional<LatencySummary> latency, Function<LatencySummary, Double> of) {
    return latency
        .filter(summary -> summary.count() > 0)
        .map(summary -> Figures.oneDecimal(of.apply(summary)));
  }

  /** {@code "arm:,took:s"}: name and unit of each column. */
  private static List<Column> columns(String spec) {
    List<Column> columns = new ArrayList<>();
    for (String column : spec.split(",")) {
      int colon = column.indexOf(':');
      columns.add(new Column(column.substring(0, colon), column.substring(colon + 1)));
    }
    return columns;
  }
}
