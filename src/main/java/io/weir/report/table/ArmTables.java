package io.weir.report.table;

import io.weir.figure.FigureBy;
import io.weir.merge.MergeKind;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.Work;
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
  public static List<Table> of(Run run) {
    List<Table> tables = new ArrayList<>(loads(run));
    tables.add(1, merge(run));
    return tables;
  }

  /** The merge of each arm, and what it did to the machine. */
  public static Table merge(Run run) {
    return withRoundsIfAny(run, merges(run));
  }

  /** Reopens, searches, and what else an arm has. */
  public static List<Table> loads(Run run) {
    List<Table> tables = new ArrayList<>(List.of(reopens(run), searches(run)));
    if (run.parts().stream().anyMatch(arm -> has(arm, ArmFigures.VISIBLE))) {
      tables.add(visible(run));
    }
    if (run.parts().stream().anyMatch(arm -> has(arm, ArmFigures.COMMIT.latency()))) {
      tables.add(commits(run));
    }
    return tables.stream().map(table -> withRoundsIfAny(run, table)).toList();
  }

  private static Table withRoundsIfAny(Run run, Table table) {
    boolean rounds = run.parts().stream().anyMatch(arm -> arm.round() > 1);
    return rounds ? table : table.without("round");
  }

  private static Table reopens(Run run) {
    return latencies(run, "Reopen", "reopens", (arm, phase) -> arm.get(ArmFigures.REOPEN, phase));
  }

  private static Table visible(Run run) {
    return latencies(
        run, "Visibility", "bulks", (arm, phase) -> arm.get(ArmFigures.VISIBLE, phase));
  }

  private static boolean has(Part arm, FigureBy<Phase, LatencySummary> figures) {
    return Phase.MEASURED.stream().anyMatch(phase -> arm.get(figures, phase).isPresent());
  }

  private static Table commits(Run run) {
    return latencies(
        run, "Commit", "commits", (arm, phase) -> arm.get(ArmFigures.COMMIT.latency(), phase));
  }

  private static Table latencies(
      Run run, String what, String count, BiFunction<Part, Phase, Optional<LatencySummary>> of) {
    List<Column> columns =
        columns("phase:,arm:,round:," + count + ":,mean:ms,p50:ms,p90:ms,p99:ms,max:ms");
    List<Row> rows = new ArrayList<>();
    for (Phase phase : Phase.MEASURED) {
      boolean first = true;
      for (Part arm : run.parts()) {
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

  private static Table merges(Run run) {
    List<Column> columns =
        columns("arm:,round:,kind:,took:s,rate:MB/s,written:MB,charged:MB,paused:s,peak dirty:MB");
    List<Row> rows = new ArrayList<>();
    for (Part arm : run.parts()) {
      rows.add(mergeRow(arm));
      arm.get(MergeFigures.MERGES, MergeKind.CRITICAL)
          .filter(merges -> merges > 0)
          .ifPresent(merges -> rows.add(criticalRow(arm, merges)));
    }
    return new Table("The merge, and the dirty pages of the whole arm", columns, 1, rows);
  }

  private static Row mergeRow(Part arm) {
    Cells cells = Cells.of(arm.name(), Integer.toString(arm.round()));
    Optional<Long> written = arm.get(MergeFigures.BYTES_WRITTEN);
    Optional<Double> seconds = arm.get(MergeFigures.SECONDS);
    return cells
        .add(arm.get(MergeFigures.KIND))
        .add(
            seconds.map(
                took -> (arm.require(MergeFigures.ENDED) ? "" : "> ") + Figures.oneDecimal(took)))
        .add(
            written.flatMap(
                bytes ->
                    seconds
                        .filter(took -> took > 0)
                        .map(took -> Figures.oneDecimal(bytes / 1e6 / took))))
        .add(written.map(Figures::megabytes))
        .add(charged(arm))
        .add(arm.get(MergeFigures.PAUSED_SECONDS).map(Figures::oneDecimal))
        .add(arm.get(ArmFigures.DIRTY_PEAK).map(Figures::megabytes))
        .row(false);
  }

  /** The merges in the same window that reopens and commits waited for. */
  private static Row criticalRow(Part arm, long merges) {
    return Cells.of(arm.name(), Integer.toString(arm.round()), merges + " critical")
        .addEmpty(2)
        .add(arm.get(MergeFigures.BYTES_OF, MergeKind.CRITICAL).map(Figures::megabytes))
        .addEmpty(1)
        .add(arm.get(MergeFigures.PAUSED_SECONDS_OF, MergeKind.CRITICAL).map(Figures::oneDecimal))
        .addEmpty(1)
        .row(false);
  }

  private static Table searches(Run run) {
    List<Column> columns =
        columns("phase:,arm:,round:,searches:/s,p50:ms,p99:ms,max:ms,updates:/s");
    List<Row> rows = new ArrayList<>();
    for (Phase phase : Phase.MEASURED) {
      boolean first = true;
      for (Part arm : run.parts()) {
        Cells cells = labels(phase, first, arm);
        cells.add(achieved(arm, ArmFigures.SEARCH, phase));
        addPercentiles(cells, arm.get(ArmFigures.SEARCH.latency(), phase), false);
        cells.add(achieved(arm, ArmFigures.UPDATE, phase));
        rows.add(cells.row(first && phase != Phase.BEFORE));
        first = false;
      }
    }
    return new Table("Searches, from the intended start, and updates", columns, 2, rows);
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

  /** The rate done, with the rate asked for beside it when they differ by more than 1 %. */
  private static Optional<String> achieved(Part arm, Work work, Phase phase) {
    return arm.get(work.achieved(), phase)
        .map(
            achieved -> {
              double asked = arm.require(work.asked(), phase);
              String done = Figures.oneDecimal(achieved);
              boolean kept = Math.abs(achieved - asked) <= 0.01 * asked + 0.05;
              return kept ? done : done + " of " + Figures.brief(asked);
            });
  }

  private static Cells labels(Phase phase, boolean first, Part arm) {
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
