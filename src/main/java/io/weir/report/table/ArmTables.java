package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.LoadResult;
import io.weir.stress.result.MergePauses.PausedMerges;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The tables of a run, the same for a terminal and a browser: reopens, the merge, searches, and
 * commits if an arm has them.
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

  /** Reopens, searches, and commits if an arm has them. */
  public static List<Table> loads(RunResult run) {
    List<Table> tables = new ArrayList<>(List.of(reopens(run), searches(run)));
    if (run.arms().stream().anyMatch(arm -> arm.commit() != null)) {
      tables.add(commits(run));
    }
    return tables.stream().map(table -> withRoundsIfAny(run, table)).toList();
  }

  private static Table withRoundsIfAny(RunResult run, Table table) {
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return rounds ? table : table.without("round");
  }

  private static Table reopens(RunResult run) {
    return latencies(run, "Reopen", "reopens", (arm, phase) -> at(arm.reopen(), phase));
  }

  private static Table commits(RunResult run) {
    return latencies(
        run,
        "Commit",
        "commits",
        (arm, phase) -> {
          LoadResult commit = at(arm.commit(), phase);
          return commit == null ? null : commit.latency();
        });
  }

  private static Table latencies(
      RunResult run, String what, String count, BiFunction<ArmResult, Phase, LatencySummary> of) {
    List<Column> columns =
        columns("phase:,arm:,round:," + count + ":,mean:ms,p50:ms,p90:ms,p99:ms,max:ms");
    List<Row> rows = new ArrayList<>();
    for (Phase phase : Phase.MEASURED) {
      boolean first = true;
      for (ArmResult arm : run.arms()) {
        LatencySummary latency = of.apply(arm, phase);
        List<String> cells = labels(phase, first, arm);
        cells.add(latency == null ? null : Long.toString(latency.count()));
        boolean any = latency != null && latency.count() > 0;
        cells.add(any ? Figures.oneDecimal(latency.meanMillis()) : null);
        addPercentiles(cells, latency, true);
        rows.add(new Row(first && phase != Phase.BEFORE, cells));
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
      rows.add(new Row(false, mergeCells(arm)));
      MergeResult merge = arm.merge();
      if (merge != null && merge.pauses() != null && merge.pauses().critical().merges() > 0) {
        rows.add(new Row(false, criticalCells(arm, merge.pauses().critical())));
      }
    }
    return new Table("The merge, and the dirty pages of the whole arm", columns, 1, rows);
  }

  private static List<String> mergeCells(ArmResult arm) {
    List<String> cells = new ArrayList<>(List.of(arm.name(), Integer.toString(arm.round())));
    MergeResult merge = arm.merge();
    if (merge == null) {
      cells.addAll(Arrays.asList(null, null, null, null, null, null));
    } else {
      cells.add(merge.kind());
      cells.add(Figures.oneDecimal(merge.seconds()));
      cells.add(
          merge.seconds() > 0
              ? Figures.oneDecimal(merge.bytesWritten() / 1e6 / merge.seconds())
              : null);
      cells.add(Figures.megabytes(merge.bytesWritten()));
      cells.add(charged(merge));
      cells.add(merge.pausedSeconds() == null ? null : Figures.oneDecimal(merge.pausedSeconds()));
    }
    cells.add(arm.dirty() == null ? null : Figures.megabytes(arm.dirty().peakBytes()));
    return cells;
  }

  /** The merges in the same window that reopens and commits waited for. */
  private static List<String> criticalCells(ArmResult arm, PausedMerges critical) {
    return Arrays.asList(
        arm.name(),
        Integer.toString(arm.round()),
        critical.merges() + " critical",
        null,
        null,
        Figures.megabytes(critical.bytes()),
        null,
        Figures.oneDecimal(critical.pausedSeconds()),
        null);
  }

  private static Table searches(RunResult run) {
    List<Column> columns =
        columns("phase:,arm:,round:,searches:/s,p50:ms,p99:ms,max:ms,updates:/s");
    List<Row> rows = new ArrayList<>();
    for (Phase phase : Phase.MEASURED) {
      boolean first = true;
      for (ArmResult arm : run.arms()) {
        LoadResult search = at(arm.search(), phase);
        List<String> cells = labels(phase, first, arm);
        cells.add(achieved(search));
        addPercentiles(cells, search == null ? null : search.latency(), false);
        cells.add(achieved(at(arm.update(), phase)));
        rows.add(new Row(first && phase != Phase.BEFORE, cells));
        first = false;
      }
    }
    return new Table("Searches, from the intended start, and updates", columns, 2, rows);
  }

  /** {@code = written}, or the difference, which the budget promises never to be. */
  public static String charged(MergeResult merge) {
    if (merge.bytesCharged() == null) {
      return null;
    }
    long more = merge.bytesCharged() - merge.bytesWritten();
    if (more == 0) {
      return "= written";
    }
    return (more > 0 ? "+" : "-") + Figures.bytes(Math.abs((double) more));
  }

  /** The rate done, with the rate asked for beside it when they differ by more than 1 %. */
  private static String achieved(LoadResult load) {
    if (load == null) {
      return null;
    }
    String done = Figures.oneDecimal(load.achievedPerSecond());
    boolean kept =
        Math.abs(load.achievedPerSecond() - load.askedPerSecond())
            <= 0.01 * load.askedPerSecond() + 0.05;
    return kept ? done : done + " of " + Figures.brief(load.askedPerSecond());
  }

  private static List<String> labels(Phase phase, boolean first, ArmResult arm) {
    List<String> cells = new ArrayList<>();
    cells.add(first ? phase.label() : "");
    cells.add(arm.name());
    cells.add(Integer.toString(arm.round()));
    return cells;
  }

  private static void addPercentiles(List<String> cells, LatencySummary latency, boolean withP90) {
    boolean any = latency != null && latency.count() > 0;
    cells.add(any ? Figures.oneDecimal(latency.p50Millis()) : null);
    if (withP90) {
      cells.add(any ? Figures.oneDecimal(latency.p90Millis()) : null);
    }
    cells.add(any ? Figures.oneDecimal(latency.p99Millis()) : null);
    cells.add(any ? Figures.oneDecimal(latency.maxMillis()) : null);
  }

  private static <T> T at(Phases<T> phases, Phase phase) {
    return phases == null ? null : phases.get(phase);
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
