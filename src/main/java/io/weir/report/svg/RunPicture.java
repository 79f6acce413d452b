package io.weir.report.svg;

import io.weir.report.chart.ArmCharts;
import io.weir.report.chart.ChartLimits;
import io.weir.report.chart.Panel;
import io.weir.report.chart.Panel.Kind;
import io.weir.report.model.Timelines;
import io.weir.report.words.Figures;
import io.weir.report.words.Headline;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunResult;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Makes {@code report.svg} of a run directory: a picture for a README or a ticket, without script
 * or network. The first round of the first {@value #MOST_ARMS} arms side by side on the same
 * scales: reopens, the slowest searches and dirty pages over time, the merge shaded, and each arm
 * in a sentence.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class RunPicture {

  static final int MOST_ARMS = 4;

  private static final int WIDTH = 1280;
  private static final int MARGIN = 28;
  private static final int GUTTER = 52;
  private static final int LINE = 22;
  private static final int TITLE = 34;
  private static final int GAP = 50;
  private static final int NAMES = 18;
  private static final ChartLimits LIMITS = new ChartLimits(2000, 4000, 400);
  private static final String INK = "#1e2227";
  private static final String MUTED = "#626973";
  private static final String TITLE_TEXT = "What readers felt while Lucene merged";

  // Series of the panels, in the order of Panel.Kind.
  private static final int LATENCY = 0;
  private static final int SLOW = 1;
  private static final int FAILED = 2;
  private static final int SLOWEST = 1;
  private static final int DIRTY = 0;

  /** One row of charts: of which panel, and how high. */
  private enum Row {
    REOPENS(Kind.REOPENS, 200, "Reopen latency, ms (red: slow ones)"),
    SEARCHES(Kind.SEARCHES, 110, "Slowest searches, ms"),
    DIRTY(Kind.DIRTY, 130, "Dirty pages, MB");

    private final Kind kind;
    private final int height;
    private final String title;

    Row(Kind kind, int height, String title) {
      this.kind = kind;
      this.height = height;
      this.title = title;
    }
  }

  /** Reads the run and writes {@link RunFiles#reportSvg}. */
  public void write(RunFiles files) throws IOException {
    RunJson.replace(files.reportSvg(), render(files.readRun(), Timelines.read(files)));
  }

  static String render(RunResult run, Timelines timelines) {
    List<ArmCharts> arms =
        ArmCharts.all(run, timelines, LIMITS).stream()
            .filter(charts -> charts.arm().round() == 1)
            .limit(MOST_ARMS)
            .toList();
    List<Headline> headlines = Headline.of(run);
    int top = MARGIN + TITLE + headlines.size() * LINE + NAMES;
    int height = top;
    for (Row row : Row.values()) {
      height += GAP + row.height;
    }
    StringBuilder out = new StringBuilder();
    out.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" \
        font-family="system-ui, sans-serif" font-size="13" fill="#1e2227" role="img">
        <title>%s</title>
        <rect width="100%%" height="100%%" fill="#f6f5f1"/>
        """
            .formatted(WIDTH, height + GAP, WIDTH, height + GAP, TITLE_TEXT));
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    Svg.text(
        out, MARGIN, MARGIN + 14, 20, 700, INK, "start", TITLE_TEXT + (rounds ? " (round 1)" : ""));
    int y = MARGIN + TITLE;
    for (Headline headline : headlines) {
      y += LINE;
      Svg.text(
          out,
          MARGIN,
          y - 6,
          14,
          400,
          INK,
          "start",
          headline.arm() + ": " + headline.sentence() + ".");
    }
    if (!arms.isEmpty()) {
      rows(out, arms, top);
    }
    return out.append("</svg>\n").toString();
  }

  private static void rows(StringBuilder out, List<ArmCharts> arms, int top) {
    double end = 1;
    for (ArmCharts arm : arms) {
      for (Panel panel : arm.panels()) {
        end = Math.max(end, panel.xSeconds().isEmpty() ? 0 : panel.xSeconds().getLast());
      }
    }
    int width = (WIDTH - 2 * MARGIN) / arms.size() - GUTTER;
    int y = top;
    for (Row row : Row.values()) {
      y += GAP;
      double most = 1;
      for (ArmCharts arm : arms) {
        most = Math.max(most, most(panel(arm, row), row));
      }
      for (int i = 0; i < arms.size(); i++) {
        int x = MARGIN + GUTTER + i * (width + GUTTER);
        if (row == Row.REOPENS) {
          Svg.text(out, x, y - 30, 15, 700, INK, "start", arms.get(i).arm().name());
        }
        ChartFrame frame = new ChartFrame(x, y, width, row.height, end, most, row == Row.REOPENS);
        chart(out, arms.get(i), row, frame, i == 0);
      }
      y += row.height;
    }
  }

  private static void chart(
      StringBuilder out, ArmCharts arm, Row row, ChartFrame frame, boolean first) {
    Svg.text(out, frame.x(), frame.y() - 10, 12, 400, MUTED, "start", row.title);
    if (arm.mergeFromSeconds() != null) {
      double from = frame.x(arm.mergeFromSeconds());
      Svg.shape(
          out,
          "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#e5e2d6\"/>",
          from,
          frame.y(),
          frame.x(arm.mergeToSeconds()) - from,
          frame.height());
      if (row == Row.REOPENS) {
        Svg.text(
            out,
            (from + frame.x(arm.mergeToSeconds())) / 2,
            frame.y() + 15,
            12,
            400,
            MUTED,
            "middle",
            arm.mergeLabel());
      }
    }
    for (double tick : frame.ticks()) {
      Svg.shape(
          out,
          "<path d=\"M%d %.1fh%d\" stroke=\"#d5d2c7\" stroke-width=\"1\"/>",
          frame.x(),
          frame.y(tick),
          frame.width());
      if (first) {
        Svg.text(out, frame.x() - 8, frame.y(tick) + 4, 12, 400, MUTED, "end", Figures.brief(tick));
      }
    }
    Svg.text(
        out,
        frame.x() + frame.width(),
        frame.y() + frame.height() + 17,
        12,
        400,
        MUTED,
        "end",
        Figures.seconds(frame.end()));
    Panel panel = panel(arm, row);
    if (!panel.measured()) {
      Svg.text(
          out,
          frame.x() + frame.width() / 2.0,
          frame.y() + frame.height() / 2.0,
          12,
          400,
          MUTED,
          "middle",
          "not measured here");
    } else {
      switch (row) {
        case REOPENS -> {
          dots(out, panel, LATENCY, "#7a3db8", frame);
          dots(out, panel, SLOW, "#bd2a22", frame);
          dots(out, panel, FAILED, "#bd2a22", frame);
        }
        case SEARCHES -> dots(out, panel, SLOWEST, "#2f7d4f", frame);
        case DIRTY -> line(out, panel, "#2a6cb8", frame);
      }
    }
  }

  private static double most(Panel panel, Row row) {
    return switch (row) {
      case REOPENS -> Math.max(panel.largest(LATENCY), panel.largest(SLOW));
      case SEARCHES -> panel.largest(SLOWEST);
      case DIRTY -> panel.largest(DIRTY);
    };
  }

  private static void dots(
      StringBuilder out, Panel panel, int series, String colour, ChartFrame frame) {
    out.append("<g fill=\"").append(colour).append("\" fill-opacity=\"0.75\">\n");
    for (int i = 0; i < panel.xSeconds().size(); i++) {
      Double value = panel.columns().get(series).get(i);
      if (value != null) {
        Svg.shape(
            out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\"/>",
            frame.x(panel.xSeconds().get(i)),
            frame.y(value));
      }
    }
    out.append("</g>\n");
  }

  private static void line(StringBuilder out, Panel panel, String colour, ChartFrame frame) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < panel.xSeconds().size(); i++) {
      Double value = panel.columns().get(DIRTY).get(i);
      if (value != null) {
        path.append(
            String.format(
                Locale.ROOT,
                "%s%.1f %.1f",
                drawing ? "L" : "M",
                frame.x(panel.xSeconds().get(i)),
                frame.y(value)));
      }
      drawing = value != null;
    }
    Svg.shape(
        out,
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" stroke-linejoin=\"round\"/>",
        path,
        colour);
  }

  private static Panel panel(ArmCharts arm, Row row) {
    return arm.panels().stream().filter(p -> p.kind() == row.kind).findFirst().orElseThrow();
  }
}
