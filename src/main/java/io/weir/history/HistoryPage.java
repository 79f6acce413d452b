package io.weir.history;

import io.weir.report.chart.LineChart;
import io.weir.report.html.HtmlTable;
import io.weir.report.html.LinePage;
import io.weir.report.svg.HtmlText;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Figures;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A history as one page that needs no network and no other file: the changes in sentences, a chart
 * for each figure with notes, versions and changes marked, and the notes as a table.
 */
public final class HistoryPage {

  private HistoryPage() {}

  /** The page. */
  public static String render(HistoryView view) throws IOException {
    return new LinePage(
            "Figures over time",
            subtitle(view),
            before(view),
            "Every figure",
            "A solid line marks a change beyond noise; a dashed line marks a note, a new version or"
                + " a new setting of an arm. The dashed level is the typical one between changes:"
                + " the geometric mean if all values are above 0, else the mean.",
            view.figures().stream().map(figure -> chart(view, figure)).toList(),
            notes(view))
        .render();
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

  private static String before(HistoryView view) {
    StringBuilder out = new StringBuilder();
    out.append(
        "<div class=\"answer\">\n<p>%s</p>\n<p class=\"caveat\">%s</p>\n</div>\n"
            .formatted(
                view.changes().isEmpty()
                    ? "No figure changed beyond noise."
                    : Figures.count(view.changes().size(), "change") + " beyond noise.",
                HtmlText.escape(sureness(view))));
    if (!view.changes().isEmpty()) {
      out.append("<ul class=\"headlines\">\n");
      for (HistoryView.Changed change : view.changes()) {
        out.append("<li>%s.</li>\n".formatted(HtmlText.escape(change.sentence())));
      }
      out.append("</ul>\n");
    }
    return out.toString();
  }

  private static LineChart chart(HistoryView view, HistoryView.Figure figure) {
    List<HistoryView.Changed> changes =
        view.changes().stream().filter(change -> change.figure().equals(figure)).toList();
    List<Double> values = new ArrayList<>();
    for (double value : figure.values()) {
      values.add(value);
    }
    return new LineChart(
        figure.title(),
        changes.isEmpty()
            ? "no change beyond noise in " + Figures.count(values.size(), "run")
            : String.join("; ", changes.stream().map(HistoryView.Changed::sentence).toList()),
        "",
        "",
        true,
        figure.times().stream().map(HistoryPage::seconds).toList(),
        List.of(
            new LineChart.Series("value", "--blue", LineChart.Form.BOTH, false, values),
            new LineChart.Series(
                "level", "--muted", LineChart.Form.DASHED, false, levels(figure, changes))),
        List.of(),
        marks(view, figure, changes));
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

  private static List<LineChart.Mark> marks(
      HistoryView view, HistoryView.Figure figure, List<HistoryView.Changed> changes) {
    List<LineChart.Mark> marks = new ArrayList<>();
    for (HistoryView.Fact fact : view.facts()) {
      if (fact.series().equals(figure.series())) {
        marks.add(new LineChart.Mark(seconds(fact.at()), fact.text(), "--slate", false));
      }
    }
    for (Note note : view.notes()) {
      marks.add(
          new LineChart.Mark(
              seconds(note.date().atStartOfDay(ZoneOffset.UTC).toInstant()),
              note.text(),
              "--green",
              false));
    }
    for (HistoryView.Changed change : changes) {
      marks.add(
          new LineChart.Mark(
              seconds(change.at()),
              "change on " + LocalDate.ofInstant(change.at(), ZoneOffset.UTC),
              "--red",
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
