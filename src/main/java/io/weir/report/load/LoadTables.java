package io.weir.report.load;

import static io.weir.report.words.Figures.brief;
import static io.weir.report.words.Figures.oneDecimal;
import static io.weir.report.words.Figures.twoDecimals;

import io.weir.load.result.LoadArm;
import io.weir.load.result.LoadRun;
import io.weir.load.result.LoadStep;
import io.weir.load.result.StepUse;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The tables of a run: what each load did to response times, what it used, what the client was. */
final class LoadTables {

  private LoadTables() {}

  /** A step of an arm in one round. */
  private record Line(LoadArm arm, LoadStep step) {

    Optional<String> percent(Function<StepUse, Optional<Double>> of) {
      return of.apply(step.use()).map(Figures::oneDecimal);
    }
  }

  /** All of them; without rows for a run without steps. */
  static List<Table> of(LoadRun run) {
    List<Line> lines = new ArrayList<>();
    for (String name : run.names()) {
      for (LoadArm round : run.rounds(name)) {
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
        .text("load", "/s", line -> Figures.plain(line.step().load()));
  }

  private static Sheet<Line> responses() {
    return sheet("Response time from the intended start, by load")
        .text("answered", "/s", line -> brief(line.step().client().answeredPerSecond()))
        .text("p50", "ms", line -> oneDecimal(line.step().client().latency().p50Millis()))
        .text("p99", "ms", line -> oneDecimal(line.step().client().latency().p99Millis()))
        .text("p99.9", "ms", line -> oneDecimal(line.step().client().latency().p999Millis()))
        .text("max", "ms", line -> oneDecimal(line.step().client().latency().maxMillis()))
        .text("outcome", "", line -> line.step().outcome().label());
  }

  /** What each step used; some figures only some arms have. */
  private static Sheet<Line> use() {
    return sheet("What each load used, of all processors")
        .cell("machine", "% cpu", line -> line.percent(StepUse::machinePercent))
        .cell("server", "% cpu", line -> line.percent(StepUse::serverPercent))
        .text("client", "% cpu", line -> oneDecimal(line.step().use().clientPercent()))
        .cell("collector", "% cpu", line -> line.percent(StepUse::collectorPercent))
        .two("paused", "% time", line -> line.step().use().pausedPercent())
        .cell("disk wait", "% time", line -> line.percent(StepUse::diskPercent))
        .cell("merging", "% time", line -> line.percent(StepUse::mergingPercent))
        .ifAny()
        .cell("threads", "% busy", line -> line.percent(StepUse::threadsPercent))
        .ifAny()
        .one("reads", "MB/s", line -> line.step().use().readBytesPerSecond().map(b -> b / 1e6))
        .ifAny()
        .text("bottleneck", "", line -> line.step().full().label());
  }

  /** What the client itself did to the figures. */
  private static Sheet<Line> client() {
    return sheet("The client: its delays and stalls, and requests without a response time")
        .text(
            "sent late p99", "ms", line -> twoDecimals(line.step().client().sentLate().p99Millis()))
        .text("stalls", "", line -> Long.toString(line.step().client().stalls()))
        .text("longest", "ms", line -> oneDecimal(line.step().client().longestStallMillis()))
        .text("set aside", "", line -> Long.toString(line.step().client().setAside()))
        .text("failed", "", line -> Long.toString(line.step().client().failed()))
        .text("unanswered", "", line -> Long.toString(line.step().client().unanswered()))
        .text("in flight", "most", line -> Long.toString(line.step().client().mostInFlight()));
  }

  private static List<LoadStep> byLoad(LoadArm round) {
    return round.steps().stream()
        .sorted(Comparator.comparingDouble(LoadStep::load).thenComparingInt(LoadStep::number))
        .toList();
  }
}
