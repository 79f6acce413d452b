package io.weir.report.load;

import static io.weir.report.words.Figures.brief;

import io.weir.figure.Figure;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Resource;
import io.weir.run.Run;
import io.weir.run.StepFigures;
import io.weir.run.StepOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The tables of a run: what each load did to response times, what it used, what the client was. */
final class LoadTables {

  private LoadTables() {}

  /** A step of an arm in one round. */
  private record Line(Part arm, Part step) {

    <T> Optional<T> get(Figure<T> figure) {
      return step.get(figure);
    }

    /** It is that of the whole arm, after its last step. */
    Optional<Double> recall() {
      return step == arm.parts().getLast() ? arm.get(ArmFigures.RECALL) : Optional.empty();
    }

    Optional<Double> latency(Function<LatencySummary, Double> of) {
      return step.get(StepFigures.LATENCY).map(of);
    }
  }

  /** All of them; without rows for a run without steps. */
  static List<Table> of(Run run) {
    List<Line> lines = new ArrayList<>();
    for (String name : run.names()) {
      for (Part round : run.rounds(name)) {
        byLoad(round).forEach(step -> lines.add(new Line(round, step)));
      }
    }
    return List.of(responses().table(lines), use().table(lines), client().table(lines));
  }

  /** A row for each step, by rising load. */
  private static Sheet<Line> sheet(String title) {
    return Sheet.<Line>wide(title)
        .groupedBy(line -> List.of(line.arm().name(), line.arm().round()))
        .word("arm", line -> line.arm().name())
        .once()
        .text("round", "", line -> Integer.toString(line.arm().round()))
        .once()
        .text("load", "/s", line -> Figures.plain(line.step().require(StepFigures.LOAD)));
  }

  private static Sheet<Line> responses() {
    return sheet("Response time from the intended start, by load")
        .text("answered", "/s", line -> brief(StepFigures.answeredPerSecond(line.step().values())))
        .one("p50", "ms", line -> line.latency(LatencySummary::p50Millis))
        .one("p99", "ms", line -> line.latency(LatencySummary::p99Millis))
        .one(
            "p99.9",
            "ms",
            line -> line.get(StepFigures.LATENCY).flatMap(LatencySummary::p999Millis))
        .one("max", "ms", line -> line.latency(LatencySummary::maxMillis))
        .two("recall@10", "", Line::recall)
        .ifAny()
        .cell("outcome", "", line -> line.get(StepFigures.OUTCOME).map(StepOutcome::label));
  }

  /** What each step used; some figures only some arms have. */
  private static Sheet<Line> use() {
    return sheet("What each load used, of all processors")
        .one("machine", "% cpu", line -> line.get(StepFigures.MACHINE))
        .one("server", "% cpu", line -> line.get(StepFigures.SERVER))
        .one("client", "% cpu", line -> line.get(StepFigures.CLIENT))
        .one("collector", "% cpu", line -> line.get(StepFigures.COLLECTOR))
        .two("paused", "% time", line -> line.get(StepFigures.PAUSED))
        .one("disk wait", "% time", line -> line.get(StepFigures.DISK))
        .one("merging", "% time", line -> line.get(StepFigures.MERGING))
        .ifAny()
        .one("threads", "% busy", line -> line.get(StepFigures.THREADS))
        .ifAny()
        .one("reads", "MB/s", line -> line.get(StepFigures.READ).map(b -> b / 1e6))
        .ifAny()
        .cell("bottleneck", "", line -> line.get(StepFigures.FULL).map(Resource::label));
  }

  /** What the client itself did to the figures. */
  private static Sheet<Line> client() {
    return sheet("The client: its delays and stalls, and requests without a response time")
        .two(
            "sent late p99",
            "ms",
            line -> line.get(StepFigures.SENT_LATE).map(LatencySummary::p99Millis))
        .count("stalls", line -> line.get(StepFigures.STALLS))
        .one("longest", "ms", line -> line.get(StepFigures.LONGEST_STALL))
        .count("set aside", line -> line.get(StepFigures.SET_ASIDE))
        .count("failed", line -> line.get(StepFigures.FAILED))
        .count("unanswered", line -> line.get(StepFigures.UNANSWERED))
        .cell(
            "in flight", "most", line -> line.get(StepFigures.MOST_IN_FLIGHT).map(String::valueOf));
  }

  private static List<Part> byLoad(Part round) {
    return round.parts().stream()
        .sorted(
            Comparator.comparingDouble((Part step) -> step.require(StepFigures.LOAD))
                .thenComparingLong(step -> step.require(StepFigures.NUMBER)))
        .toList();
  }
}
