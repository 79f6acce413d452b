package io.weir.report.html;

import io.weir.report.chart.ArmCharts;
import io.weir.report.chart.Panel;
import io.weir.report.chart.Panel.Kind;
import io.weir.report.svg.ArmMarks;
import io.weir.report.svg.HtmlText;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Frames for charts that overlay all arms of a round, aligned at the start of the merge. They stay
 * hidden until the reader asks for them; then the script fills them.
 */
final class OverlayPanels {

  /** The figure of each arm that a shared chart draws, and its unit. */
  enum Overlaid {
    REOPENS(Kind.REOPENS, "Reopen latency", "ms", 0, 1),
    SEARCHES(Kind.SEARCHES, "Slowest searches", "ms", 1),
    DIRTY(Kind.DIRTY, "Dirty pages", "MB", 0),
    MERGE(Kind.MERGE, "Merge writes", "MB/s", 0);

    private final Kind kind;
    private final String title;
    private final String unit;
    private final int[] series;

    Overlaid(Kind kind, String title, String unit, int... series) {
      this.kind = kind;
      this.title = title;
      this.unit = unit;
      this.series = series;
    }

    private double largest(ArmCharts arm) {
      Panel panel = arm.panels().stream().filter(p -> p.kind() == kind).findFirst().orElseThrow();
      double largest = Double.NEGATIVE_INFINITY;
      for (int one : series) {
        largest = Math.max(largest, panel.largest(one));
      }
      return largest;
    }
  }

  private final List<ArmCharts> arms;
  private final ArmMarks marks;

  /**
   * @param arms in the order of the page's data
   */
  OverlayPanels(List<ArmCharts> arms, ArmMarks marks) {
    this.arms = arms;
    this.marks = marks;
  }

  /** The switch between the two layouts; empty when no round has two arms that merged. */
  String choice() {
    return html().isEmpty()
        ? ""
        : """
        <fieldset class="choice" id="layout" hidden>
        <legend>Arms</legend>
        <label><input type="radio" name="layout" value="beside" checked autocomplete="off">side by side</label>
        <label><input type="radio" name="layout" value="over" autocomplete="off">overlaid, aligned at the start of the merge</label>
        </fieldset>
        """;
  }

  /** The frames of each round, without charts for which no arm has values. */
  String html() {
    StringBuilder out = new StringBuilder();
    TreeSet<Integer> rounds = new TreeSet<>();
    arms.forEach(arm -> rounds.add(arm.arm().round()));
    for (int round : rounds) {
      List<ArmCharts> together =
          arms.stream()
              .filter(arm -> arm.arm().round() == round && arm.merge().isPresent())
              .toList();
      String title = rounds.size() > 1 ? "All arms, round " + round : "All arms";
      StringBuilder panels = new StringBuilder();
      if (together.size() > 1) {
        for (Overlaid overlaid : Overlaid.values()) {
          append(panels, title, overlaid, together);
        }
      }
      if (!panels.isEmpty()) {
        out.append(
            "<section class=\"round\" aria-label=\"%s\">\n<h3>%s</h3>\n%s<div class=\"two\">\n"
                .formatted(title, title, missing(round)));
        out.append(panels).append("</div>\n</section>\n");
      }
    }
    return out.toString();
  }

  private String missing(int round) {
    List<String> names =
        arms.stream()
            .filter(arm -> arm.arm().round() == round && arm.merge().isEmpty())
            .map(arm -> arm.arm().name())
            .toList();
    return names.isEmpty()
        ? ""
        : "<p class=\"hint\">Not drawn, because no merge began: %s.</p>\n"
            .formatted(HtmlText.escape(String.join("; ", names)));
  }

  private void append(
      StringBuilder out, String title, Overlaid overlaid, List<ArmCharts> together) {
    List<String> names = new ArrayList<>();
    List<String> indexes = new ArrayList<>();
    List<String> figures = new ArrayList<>();
    for (ArmCharts arm : together) {
      double largest = overlaid.largest(arm);
      if (Double.isFinite(largest)) {
        names.add(arm.arm().name());
        indexes.add(Integer.toString(arms.indexOf(arm)));
        figures.add("%s %s %s".formatted(arm.arm().name(), Figures.brief(largest), overlaid.unit));
      }
    }
    if (names.isEmpty()) {
      return;
    }
    String summary = HtmlText.escape("Largest: " + String.join("; ", figures));
    out.append(
        "<figure class=\"panel\" data-overlay=\"%s\" data-arms=\"%s\">\n<figcaption><h4>%s</h4>"
            .formatted(overlaid.kind.id(), String.join(" ", indexes), overlaid.title));
    out.append(
        "<p class=\"summary\">%s</p>%s</figcaption>\n<div class=\"plot\" role=\"img\" aria-label=\"%s, %s, aligned at the start of the merge. %s\"></div>\n</figure>\n"
            .formatted(
                summary,
                marks.key(names, name -> "<output></output>"),
                overlaid.title,
                title,
                summary));
  }
}
