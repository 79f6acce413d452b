package io.weir.report.load;

import io.weir.load.result.ClientView;
import io.weir.load.result.LoadArm;
import io.weir.load.result.LoadRun;
import io.weir.load.result.LoadStep;
import io.weir.load.result.StepUse;
import io.weir.report.table.Cells;
import io.weir.report.table.Table;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The tables of a run: what each load did to response times, what it used, what the client was. */
final class LoadTables {

  private LoadTables() {}

  /** Response times, a row for each step, by rising load. */
  static Table responses(LoadRun run) {
    List<Column> columns =
        List.of(
            new Column("arm", ""),
            new Column("round", ""),
            new Column("load", "/s"),
            new Column("answered", "/s"),
            new Column("p50", "ms"),
            new Column("p99", "ms"),
            new Column("p99.9", "ms"),
            new Column("max", "ms"),
            new Column("outcome", ""));
    return table(
        "Response time from the intended start, by load",
        columns,
        run,
        (step, cells) -> {
          ClientView seen = step.client();
          cells
              .add(Figures.brief(seen.answeredPerSecond()))
              .add(Figures.oneDecimal(seen.latency().p50Millis()))
              .add(Figures.oneDecimal(seen.latency().p99Millis()))
              .add(Figures.oneDecimal(seen.latency().p999Millis()))
              .add(Figures.oneDecimal(seen.latency().maxMillis()))
              .add(step.outcome().label());
        });
  }

  /** A column of what a step used. */
  private record Use(Column column, Function<StepUse, Optional<String>> cell) {

    boolean isAnyIn(LoadRun run) {
      return run.arms().stream()
          .flatMap(arm -> arm.steps().stream())
          .anyMatch(step -> cell.apply(step.use()).isPresent());
    }
  }

  /** Only some arms have these. */
  private static final List<Use> SOMETIMES =
      List.of(
          new Use(new Column("merging", "% time"), use -> percent(use.mergingPercent())),
          new Use(new Column("threads", "% busy"), use -> percent(use.threadsPercent())),
          new Use(
              new Column("reads", "MB/s"),
              use -> use.readBytesPerSecond().map(bytes -> Figures.oneDecimal(bytes / 1e6))));

  /** What each step used. */
  static Table use(LoadRun run) {
    List<Use> some = SOMETIMES.stream().filter(use -> use.isAnyIn(run)).toList();
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("arm", ""));
    columns.add(new Column("round", ""));
    columns.add(new Column("load", "/s"));
    columns.add(new Column("machine", "% cpu"));
    columns.add(new Column("server", "% cpu"));
    columns.add(new Column("client", "% cpu"));
    columns.add(new Column("collector", "% cpu"));
    columns.add(new Column("paused", "% time"));
    columns.add(new Column("disk wait", "% time"));
    some.forEach(use -> columns.add(use.column()));
    columns.add(new Column("bottleneck", ""));
    return table(
        "What each load used, of all processors",
        columns,
        run,
        (step, cells) -> {
          StepUse use = step.use();
          cells
              .add(percent(use.machinePercent()))
              .add(percent(use.serverPercent()))
              .add(Figures.oneDecimal(use.clientPercent()))
              .add(percent(use.collectorPercent()))
              .add(use.pausedPercent().map(Figures::twoDecimals))
              .add(percent(use.diskPercent()));
          some.forEach(each -> cells.add(each.cell().apply(use)));
          cells.add(step.full().label());
        });
  }

  /** What the client itself did to the figures. */
  static Table client(LoadRun run) {
    List<Column> columns =
        List.of(
            new Column("arm", ""),
            new Column("round", ""),
            new Column("load", "/s"),
            new Column("sent late p99", "ms"),
            new Column("stalls", ""),
            new Column("longest", "ms"),
            new Column("set aside", ""),
            new Column("failed", ""),
            new Column("unanswered", ""),
            new Column("in flight", "most"));
    return table(
        "The client: its delays and stalls, and requests without a response time",
        columns,
        run,
        (step, cells) -> {
          ClientView seen = step.client();
          cells
              .add(Figures.twoDecimals(seen.sentLate().p99Millis()))
              .add(Long.toString(seen.stalls()))
              .add(Figures.oneDecimal(seen.longestStallMillis()))
              .add(Long.toString(seen.setAside()))
              .add(Long.toString(seen.failed()))
              .add(Long.toString(seen.unanswered()))
              .add(Long.toString(seen.mostInFlight()));
        });
  }

  private interface Rest {
    void add(LoadStep step, Cells cells);
  }

  private static Table table(String title, List<Column> columns, LoadRun run, Rest rest) {
    List<Row> rows = new ArrayList<>();
    for (String name : run.names()) {
      boolean first = true;
      for (LoadArm round : run.rounds(name)) {
        boolean firstOfRound = true;
        for (LoadStep step : byLoad(round)) {
          Cells cells = Cells.of(first ? name : "");
          cells.add(firstOfRound ? Integer.toString(round.round()) : "");
          cells.add(plain(step.load()));
          rest.add(step, cells);
          rows.add(cells.row(firstOfRound && !rows.isEmpty()));
          first = false;
          firstOfRound = false;
        }
      }
    }
    return new Table(title, columns, 1, rows);
  }

  private static List<LoadStep> byLoad(LoadArm round) {
    return round.steps().stream()
        .sorted(Comparator.comparingDouble(LoadStep::load).thenComparingInt(LoadStep::number))
        .toList();
  }

  private static Optional<String> percent(Optional<Double> value) {
    return value.map(Figures::oneDecimal);
  }

  /** {@code 40}, {@code 12.5}. */
  static String plain(double load) {
    return BigDecimal.valueOf(load).stripTrailingZeros().toPlainString();
  }
}
