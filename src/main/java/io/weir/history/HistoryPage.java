package io.weir.history;

import io.weir.report.chart.Axis;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Mark;
import io.weir.report.html.Html;
import io.weir.report.html.HtmlTable;
import io.weir.report.html.Page;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Figures;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A history as one page that needs no network and no other file: the changes in sentences, a chart
 * for each figure with notes, versions and changes marked, and the notes as a table.
 */
public final class HistoryPage {

  private static final int HEIGHT = 220;

  private HistoryPage() {}

  /** The page. */
  public static String render(HistoryView view) throws IOException {
    Page page = new Page("Figures over time", subtitle(view));
    page.add(Html.answer(List.of(view.finding()), sureness(view)))
        .add(
            Html.headlines(
                Stream.concat(
                        view.figuresOfOneRun().stream(),
                        view.changes().stream().map(change -> change.sentence() + "."))
                    .map(Html::headline)
                    .collect(Collectors.joining())))
        .section(
            "charts",
            "Every figure",
            Page.HINT.formatted(
                    "A solid line marks a change beyond noise; a dashed line marks a note, a new"
                        + " version or a new setting of an arm. The dashed level is the typical one"
                        + " between changes: the geometric mean if all values are above 0, else the"
                        + " mean.")
                + Html.two(
                    view.figures().stream()
                        .map(figure -> chart(view, figure))
                        .map(chart -> page.figure("", "h3", chart.title(), chart))
                        .collect(Collectors.joining())));
    return page.add(notes(view)).render();
  }

  /** How sure the changes are, in a sentence. */
  public static String sureness(HistoryView view) {
    return String.format(
        Locale.ROOT,
        "If no figure had changed, the chance of any mark on this page would be at most %s %%"
            + " (permutation test of the largest sum of deviations among all figures).",
        Figures.brief(100 * view.falseAlarms()));
  }

  private static String subtitle(HistoryView view) {
    long runs = view.figures().stream().mapToLong(figure -> figure.times().size()).max().orElse(0);
    return "%s \u00b7 up to %s"
        .formatted(
            Figures.count(view.figures().size(), "figure"), Figures.count(runs, "run") + " each");
  }

  private static Chart chart(HistoryView view, HistoryView.Figure figure) {
    List<HistoryView.Changed> changes =
        view.changes().stream().filter(change -> change.figure().equals(figure)).toList();
    List<Double> values = Arrays.stream(figure.values()).boxed().toList();
    List<Double> x = figure.times().stream().map(HistoryPage::seconds).toList();
    List<Mark> marks = marks(view, figure, changes);
    DoubleSummaryStatistics ends =
        DoubleStream.concat(
                x.stream().mapToDouble(Double::doubleValue), marks.stream().mapToDouble(Mark::at))
            .summaryStatistics();
    Chart chart =
        new Chart(
            "",
            figure.words(),
            changes.isEmpty()
                ? figure.title()
                    + ": no change beyond noise in "
                    + Figures.count(values.size(), "run")
                : changes.stream()
                    .map(HistoryView.Changed::sentence)
                    .collect(Collectors.joining("; ")),
            HEIGHT,
            Axis.days(ends.getMin(), ends.getMax()),
            Axis.linear(figure.unit().symbol(), 0),
            Optional.empty(),
            List.of(
                Chart.Series.of("value", "value", "blue", Form.BOTH, x, values),
                Chart.Series.of(
                    "level", "level", "muted", Form.DASHED, x, levels(figure, changes))),
            List.of(),
            marks);
    return Chart.onOneScale(List.of(chart), chart.x()).getFirst();
  }

  private static List<Double> levels(HistoryView.Figure figure, List<HistoryView.Changed> changes) {
    double first =
        changes.isEmpty()
            ? ChangePoints.level(figure.values())
            : changes.getFirst().change().before();
    List<Double> levels = new ArrayList<>(Collections.nCopies(figure.values().length, first));
    for (HistoryView.Changed changed : changes) {
      Collections.fill(
          levels.subList(changed.change().at(), levels.size()), changed.change().after());
    }
    return levels;
  }

  private static List<Mark> marks(
      HistoryView view, HistoryView.Figure figure, List<HistoryView.Changed> changes) {
    List<Mark> marks = new ArrayList<>();
    for (HistoryView.Fact fact : view.facts()) {
      if (fact.series().equals(figure.series())) {
        marks.add(new Mark(seconds(fact.at()), fact.text(), "slate", false, false));
      }
    }
    for (Note note : view.notes()) {
      marks.add(
          new Mark(
              seconds(note.date().atStartOfDay(ZoneOffset.UTC).toInstant()),
              note.text(),
              "green",
              false,
              false));
    }
    for (HistoryView.Changed change : changes) {
      marks.add(
          new Mark(
              seconds(change.at()),
              "change on " + LocalDate.ofInstant(change.at(), ZoneOffset.UTC),
              "red",
              false,
              true));
    }
    return marks;
  }

  private static String notes(HistoryView view) {
    if (view.notes().isEmpty()) {
      return "";
    }
    Table table =
        Sheet.<Note>of("Notes")
            .word("date", note -> note.date().toString())
            .word("what", Note::text)
            .table(view.notes());
    return "<section class=\"tables\" aria-label=\"Notes\">\n"
        + HtmlTable.of(table)
        + "</section>\n";
  }

  private static double seconds(Instant at) {
    return at.getEpochSecond();
  }
}
