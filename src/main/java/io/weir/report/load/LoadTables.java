package io.weir.report.load;

import io.weir.report.table.Cells;
import io.weir.report.table.Table;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.StepFigures;
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
  static Table responses(Run run) {
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
          LatencySummary latency = step.require(StepFigures.LATENCY);
          cells
              .add(Figures.brief(StepFigures.answeredPerSecond(step.values())))
              .add(Figures.oneDecimal(latency.p50Millis()))
              .add(Figures.oneDecimal(latency.p99Millis()))
              .add(latency.p999Millis().map(Figures::oneDecimal))
              .add(Figures.oneDecimal(latency.maxMillis()))
              .add(step.require(StepFigures.OUTCOME).label());
        });
  }

  /** A column of what a step used. */
  private record Use(Column column, Function<Part, Optional<String>> cell) {

    boolean isAnyIn(Run run) {
      return run.parts().stream()
          .flatMap(arm -> arm.parts().stream())
          .anyMatch(step -> cell.apply(step).isPresent());
    }
  }

  /** Only some arms have these. */
  private static final List<Use> SOMETIMES =
      List.of(
          new Use(new Column("merging", "% time"), step -> percent(step.get(StepFigures.MERGING))),
          new Use(new Column("threads", "% busy"), step -> percent(step.get(StepFigures.THREADS))),
          new Use(
              new Column("reads", "MB/s"),
              step -> step.get(StepFigures.READ).map(bytes -> Figures.oneDecimal(bytes / 1e6))));

  /** What each step used. */
  static Table use(Run run) {
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
          cells
              .add(percent(step.get(StepFigures.MACHINE)))
              .add(percent(step.get(StepFigures.SERVER)))
              .add(percent(step.get(StepFigures.CLIENT)))
              .add(percent(step.get(StepFigures.COLLECTOR)))
              .add(step.get(StepFigures.PAUSED).map(Figures::twoDecimals))
              .add(percent(step.get(StepFigures.DISK)));
          some.forEach(each -> cells.add(each.cell().apply(step)));
          cells.add(step.require(StepFigures.FULL).label());
        });
  }

  /** What the client itself did to the figures. */
  static Table client(Run run) {
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
          cells
              .add(Figures.twoDecimals(step.require(StepFigures.SENT_LATE).p99Millis()))
              .add(step.get(StepFigures.STALLS).map(Object::toString))
              .add(step.get(StepFigures.LONGEST_STALL).map(Figures::oneDecimal))
              .add(step.get(StepFigures.SET_ASIDE).map(Object::toString))
              .add(step.get(StepFigures.FAILED).map(Object::toString))
              .add(step.get(StepFigures.UNANSWERED).map(Object::toString))
              .add(step.get(StepFigures.MOST_IN_FLIGHT).map(Object::toString));
        });
  }

  private interface Rest {
    void add(Part step, Cells cells);
  }

  private static Table table(String title, List<Column> columns, Run run, Rest rest) {
    List<Row> rows = new ArrayList<>();
    for (String name : run.names()) {
      boolean first = true;
      for (Part round : run.rounds(name)) {
        boolean firstOfRound = true;
        for (Part step : byLoad(round)) {
          Cells cells = Cells.of(first ? name : "");
          cells.add(firstOfRound ? Integer.toString(round.round()) : "");
          cells.add(plain(step.require(StepFigures.LOAD)));
          rest.add(step, cells);
          rows.add(cells.row(firstOfRound && !rows.isEmpty()));
          first = false;
          firstOfRound = false;
        }
      }
    }
    return new Table(title, columns, 1, rows);
  }

  private static List<Part> byLoad(Part round) {
    return round.parts().stream()
        .sorted(
            Comparator.comparingDouble((Part step) -> step.require(StepFigures.LOAD))
                .thenComparingLong(step -> step.require(StepFigures.NUMBER)))
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
