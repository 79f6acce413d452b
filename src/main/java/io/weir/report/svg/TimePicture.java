package io.weir.report.svg;

import io.weir.report.chart.ArmCharts;
import io.weir.report.chart.ChartLimits;
import io.weir.report.chart.Panel;
import io.weir.report.chart.Panel.Kind;
import io.weir.report.model.Timelines;
import io.weir.report.words.Figures;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The first round of the first arms over time, side by side on the same scales: reopens, the
 * slowest searches and dirty pages, the merge shaded. No script is needed.
 *
 * <p>Horizontal places are percentages and letters keep their size, so one picture fits a phone, a
 * wide screen and paper. The styles are in {@code time.css}.
 */
public final class TimePicture {

  /** The most arms drawn. */
  public static final int MOST_ARMS = 4;

  /** From the top of an arm's picture to its bottom, in pixels. */
  public static final int HEIGHT;

  private static final ChartLimits LIMITS = new ChartLimits(2000, 4000, 400);
  private static final int GAP = 32;
  private static final int BELOW = 22;

  /** The width of curves, in units of their own. */
  private static final double UNITS = 1000;

  /** One row of charts: a series of a panel is a line or dots. */
  private enum Row {
    REOPENS(Kind.REOPENS, 150, true, "Reopen latency, ms"),
    SEARCHES(Kind.SEARCHES, 70, false, "Slowest searches, ms"),
    DIRTY(Kind.DIRTY, 80, false, "Dirty pages, MB");

    private final Kind kind;
    private final int height;
    private final boolean log;
    private final String title;

    Row(Kind kind, int height, boolean log, String title) {
      this.kind = kind;
      this.height = height;
      this.log = log;
      this.title = title;
    }

    /** The series drawn, in the order of {@link Kind#series}; their classes. */
    List<String> series() {
      return switch (this) {
        case REOPENS -> List.of("reopen", "slow", "slow");
        case SEARCHES -> List.of("", "search");
        case DIRTY -> List.of("dirty");
      };
    }
  }

  static {
    int height = BELOW;
    for (Row row : Row.values()) {
      height += GAP + row.height;
    }
    HEIGHT = height;
  }

  private final List<ArmCharts> arms;
  private final Map<Row, ChartFrame> frames = new EnumMap<>(Row.class);

  /**
   * @param run a run; the first {@value #MOST_ARMS} arms of its first round are drawn
   * @param timelines of the run
   */
  public TimePicture(Run run, Timelines timelines) {
    this.arms =
        ArmCharts.all(run, timelines, LIMITS).stream()
            .filter(charts -> charts.arm().round() == 1)
            .limit(MOST_ARMS)
            .toList();
    double end =
        arms.stream()
            .flatMap(arm -> arm.panels().stream())
            .filter(panel -> !panel.xSeconds().isEmpty())
            .mapToDouble(panel -> panel.xSeconds().getLast())
            .max()
            .orElse(1);
    for (Row row : Row.values()) {
      frames.put(row, new ChartFrame(row.height, Math.max(1, end), most(row), row.log));
    }
  }

  /** The arms drawn, in their order. */
  public List<ArmCharts> arms() {
    return arms;
  }

  /** The picture of {@code arm} in words, for readers who cannot see it. */
  public String label(ArmCharts arm) {
    List<String> parts = new ArrayList<>();
    for (Row row : Row.values()) {
      parts.add(row.title + ": " + panel(arm, row).summary());
    }
    return arm.arm().name() + ". " + String.join(". ", parts);
  }

  /** The elements of the picture of {@code arm}; {@value #BELOW} pixels below it are the axis. */
  public String elements(ArmCharts arm) {
    StringBuilder out = new StringBuilder();
    int y = 0;
    for (Row row : Row.values()) {
      y += GAP;
      append(out, arm, row, y);
      y += row.height;
    }
    Svg.shape(
        out,
        "<text class=\"end\" x=\"100%%\" y=\"%d\">%s</text>",
        y + 16,
        Figures.seconds(frames.get(Row.DIRTY).end()));
    return out.toString();
  }

  private static void band(
      StringBuilder out, ChartFrame frame, ArmCharts.MergeSpan merge, Row row, int y) {
    double from = frame.percent(merge.fromSeconds());
    double to = frame.percent(merge.toSeconds());
    Svg.shape(
        out,
        "<rect class=\"band\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"%d\"/>",
        from,
        y,
        to - from,
        row.height);
    if (row == Row.REOPENS) {
      Svg.shape(
          out,
          "<text class=\"merge\" x=\"%.2f%%\" y=\"%d\">%s</text>",
          (from + to) / 2,
          y + 15,
          HtmlText.escape(merge.label()));
    }
  }

  private void append(StringBuilder out, ArmCharts arm, Row row, int y) {
    ChartFrame frame = frames.get(row);
    Svg.shape(out, "<text y=\"%d\">%s</text>", y - 9, row.title);
    arm.merge().ifPresent(merge -> band(out, frame, merge, row, y));
    for (double tick : frame.ticks()) {
      double at = y + frame.y(tick);
      Svg.shape(out, "<line class=\"grid\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", at, at);
      Svg.shape(
          out,
          "<text class=\"left\" dx=\"-7\" y=\"%.1f\">%s</text>",
          at + 4,
          tick == Math.rint(tick) ? "%.0f".formatted(tick) : Figures.brief(tick));
    }
    Panel panel = panel(arm, row);
    if (!panel.measured()) {
      Svg.shape(
          out,
          "<text class=\"absent\" x=\"50%%\" y=\"%.1f\">%s</text>",
          y + frame.height() / 2.0,
          Panel.NOT_MEASURED);
      return;
    }
    Svg.shape(
        out,
        "<svg y=\"%d\" height=\"%d\" viewBox=\"0 0 %.0f %d\" preserveAspectRatio=\"none\">",
        y,
        row.height,
        UNITS,
        row.height);
    List<String> series = row.series();
    for (int i = 0; i < series.size(); i++) {
      String points = points(panel, i, frame, row == Row.DIRTY);
      if (!series.get(i).isEmpty() && !points.isEmpty()) {
        Svg.shape(out, "<path class=\"%s\" d=\"%s\"/>", series.get(i), points);
      }
    }
    out.append("</svg>\n");
  }

  /** A line with gaps where there is no value, or a dot for each value. */
  private static String points(Panel panel, int series, ChartFrame frame, boolean line) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < panel.xSeconds().size(); i++) {
      Double value = panel.columns().get(series).get(i);
      if (!value.isNaN()) {
        path.append(
            String.format(
                Locale.ROOT,
                "%s%.1f %.1f%s",
                line && drawing ? "L" : "M",
                frame.percent(panel.xSeconds().get(i)) / 100 * UNITS,
                frame.y(value),
                line ? "" : "h0"));
      }
      drawing = !value.isNaN();
    }
    return path.toString();
  }

  private double most(Row row) {
    double most = 1;
    for (ArmCharts arm : arms) {
      for (int i = 0; i < row.series().size(); i++) {
        if (!row.series().get(i).isEmpty()) {
          most = Math.max(most, panel(arm, row).largest(i));
        }
      }
    }
    return most;
  }

  private static Panel panel(ArmCharts arm, Row row) {
    return arm.panels().stream().filter(p -> p.kind() == row.kind).findFirst().orElseThrow();
  }
}
