package io.weir.benchmark.headlines;

import io.weir.benchmark.headlines.HeadlinePlan.Place;
import io.weir.benchmark.kit.TextTable;
import io.weir.report.compare.Comparison;
import io.weir.report.compare.Difference;
import io.weir.report.compare.LatencyTail;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.FigureBy;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The key figures of finished cells, in the form of docs/MEASURING.md: each row has its disk, its
 * rounds and its counts, and an interval from five rounds on. A merge that did not end stands with
 * {@code >=}, and its arm is in no comparison.
 */
final class HeadlineTable {

  static final String[] COLUMNS = {
    "disk",
    "load",
    "arm",
    "rounds",
    "reopens",
    "reopen, ms",
    "against stock, %",
    "searches",
    "search, ms",
    "merge, s",
    "peak Dirty, MB"
  };
  private static final int WORDS = 3;

  private final TextTable text =
      new TextTable("Key figures: medians of rounds, and the range", WORDS, COLUMNS);
  private final StringBuilder markdown = new StringBuilder();
  private final StringBuilder csv = new StringBuilder();

  /** A table without rows. */
  HeadlineTable() {
    line(List.of(COLUMNS));
    markdown.append("|---".repeat(COLUMNS.length)).append("|\n");
    csv.append(String.join(",", COLUMNS).replace(", ", " ")).append('\n');
  }

  /**
   * The rows of a load, one for each arm.
   *
   * @param run any of its runs
   * @param parts of all its cells, named and numbered by arm and round, the base first
   */
  void add(Place place, Run run, List<Part> parts) {
    Map<String, List<Part>> arms =
        parts.stream()
            .collect(Collectors.groupingBy(Part::name, LinkedHashMap::new, Collectors.toList()));
    LatencyTail tail = LatencyTail.ofReopens(parts);
    RunFigure search =
        RunFigure.SEARCH_P99.isKnown(parts)
            ? RunFigure.SEARCH_P99
            : RunFigure.SEARCH_P90.isKnown(parts) ? RunFigure.SEARCH_P90 : RunFigure.SEARCH_MAX;
    Optional<Comparison> comparison = compared(run, arms);
    arms.forEach(
        (arm, rounds) -> {
          List<String> cells = new ArrayList<>();
          cells.add(place.disk().label());
          cells.add(place.load().label());
          cells.add(arm);
          cells.add(Integer.toString(rounds.size()));
          cells.add(count(rounds, ArmFigures.REOPEN));
          cells.add(named(tail.figure(), rounds));
          cells.add(
              comparison
                  .flatMap(with -> difference(with, arm, tail.figure()))
                  .map(HeadlineTable::words)
                  .orElse("-"));
          cells.add(count(rounds, ArmFigures.SEARCH.latency()));
          cells.add(named(search, rounds));
          cells.add(merge(rounds));
          cells.add(range(RunFigure.DIRTY_PEAK, rounds));
          text.row(cells.toArray(String[]::new));
          line(cells);
          csv.append(
                  cells.stream()
                      .map(cell -> '"' + cell.replace("\"", "\"\"") + '"')
                      .collect(Collectors.joining(",")))
              .append('\n');
        });
    comparison.ifPresent(
        with ->
            with.changed()
                .forEach(why -> text.note(place.label() + ": left out, because " + why + ".")));
    comparison.ifPresent(
        with -> with.overloaded().forEach(why -> text.note(place.label() + ": " + why + ".")));
  }

  /** Arms whose merges all ended, against the first; without verdicts if that one's did not. */
  private static Optional<Comparison> compared(Run run, Map<String, List<Part>> arms) {
    List<Part> whole = new ArrayList<>();
    arms.values().stream()
        .filter(rounds -> rounds.stream().noneMatch(HeadlineTable::isCut))
        .forEach(whole::addAll);
    String base = arms.keySet().iterator().next();
    if (whole.isEmpty() || !whole.getFirst().name().equals(base)) {
      return Optional.empty();
    }
    Run all =
        new Run(
            run.schemaVersion(),
            run.kind(),
            run.weir(),
            run.lucene(),
            run.command(),
            run.startedAt(),
            run.finishedAt(),
            false,
            run.environment(),
            run.workload(),
            run.values(),
            whole,
            List.of(),
            List.of(),
            List.of(),
            Optional.empty());
    return Comparison.of(all);
  }

  private static Optional<Difference> difference(Comparison in, String arm, RunFigure figure) {
    return in.differences().stream()
        .filter(difference -> difference.name().equals(arm) && difference.figure() == figure)
        .filter(difference -> in.obstacles().isEmpty())
        .findFirst();
  }

  /** {@code -62 (-82 to +40), no detectable difference}; fewer rounds have no interval. */
  private static String words(Difference difference) {
    return difference
        .interval()
        .map(
            ends ->
                "%s (%s to %s), %s"
                    .formatted(
                        percent(difference.ratio()),
                        percent(ends.low()),
                        percent(ends.high()),
                        difference.verdict().label()))
        .orElse("no interval");
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%+.0f", (ratio - 1) * 100);
  }

  private static boolean isCut(Part part) {
    return MergeFigures.isMerged(part) && !MergeFigures.isWhole(part);
  }

  private static String merge(List<Part> rounds) {
    if (rounds.stream().noneMatch(MergeFigures::isMerged)) {
      return "-";
    }
    double[] seconds =
        rounds.stream()
            .flatMap(part -> part.get(MergeFigures.SECONDS).stream())
            .mapToDouble(Double::doubleValue)
            .toArray();
    return (rounds.stream().anyMatch(HeadlineTable::isCut) ? ">= " : "") + medianAndRange(seconds);
  }

  /** {@code p99 27 (22-40)}: a percentile that could be known, or the longest. */
  private static String named(RunFigure figure, List<Part> rounds) {
    String range = range(figure, rounds);
    String name = figure.id().substring(figure.id().indexOf('.') + 1);
    return range.equals("-") ? range : name + " " + range;
  }

  private static String range(RunFigure figure, List<Part> rounds) {
    return medianAndRange(
        rounds.stream()
            .flatMap(part -> figure.of(part).stream())
            .mapToDouble(Double::doubleValue)
            .toArray());
  }

  private static String medianAndRange(double[] values) {
    if (values.length == 0) {
      return "-";
    }
    double least = RunFigure.median(values);
    double most = least;
    for (double value : values) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    String median = Figures.brief(RunFigure.median(values));
    return values.length == 1
        ? median
        : "%s (%s-%s)".formatted(median, Figures.brief(least), Figures.brief(most));
  }

  private static String count(List<Part> rounds, FigureBy<Phase, LatencySummary> latency) {
    long count =
        rounds.stream()
            .flatMap(part -> part.get(latency, Phase.DURING).stream())
            .mapToLong(LatencySummary::count)
            .sum();
    return count == 0 ? "-" : Long.toString(count);
  }

  private void line(List<String> cells) {
    markdown.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  TextTable text() {
    return text;
  }

  String markdown() {
    return markdown.toString();
  }

  String csv() {
    return csv.toString();
  }
}
