package io.weir.benchmark.filters;

import io.weir.report.svg.HtmlText;
import io.weir.report.svg.Svg;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A chart of the heap over a run for each arm: its size, its use, and the collections. */
final class HeapPicture {

  private static final int WIDTH = 760;
  private static final int LEFT = 62;
  private static final int RIGHT = 20;
  private static final int TOP = 34;
  private static final int ROW = 190;
  private static final int CHART = 120;
  private static final double MEGABYTE = 1e6;
  private static final int TICKS = 4;

  /** The colours of the reports' pictures. */
  private static final String STYLE =
      """
      <style>
      :root { --card: #fff; --ink: #1e2227; --muted: #626973; --grid: #ecebe6; --blue: #2a6cb8; --red: #bd2a22; --band: #eef0f6 }
      @media (prefers-color-scheme: dark) { :root { --card: #191d22; --ink: #e4e6e9; --muted: #98a0ab; --grid: #242930; --blue: #6cabf2; --red: #ff7a70; --band: #20262f } }
      text { font: 12px system-ui, sans-serif; fill: var(--ink) } .muted { fill: var(--muted) } .paper { fill: var(--card) }
      .half { fill: var(--band) } path { fill: none } .grid { stroke: var(--grid) } .size { stroke: var(--muted); stroke-dasharray: 4 3 }
      .use { stroke: var(--blue) } .pause { stroke: var(--red) }
      </style>
      """;

  private HeapPicture() {}

  /** The runs by the names of their arms, with one scale for all. */
  static String draw(Map<String, FiltersBenchmark.Run> runs) {
    double seconds =
        runs.values().stream().mapToDouble(run -> run.result().toSeconds()).max().orElse(1);
    double megabytes =
        runs.values().stream().mapToDouble(FiltersBenchmark.Run::heapMegabytes).max().orElse(1);
    StringBuilder out = new StringBuilder();
    Svg.shape(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">%n"
            + "<title>Heap and collections: %s</title>%n%s"
            + "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>",
        WIDTH,
        TOP + ROW * runs.size(),
        HtmlText.escape(
            runs.entrySet().stream()
                .map(arm -> arm.getKey() + " " + words(arm.getValue()))
                .collect(Collectors.joining("; "))),
        STYLE,
        WIDTH,
        TOP + ROW * runs.size());
    text(
        out,
        "muted",
        LEFT,
        "heap, MB: size (dashed), use (line); pauses below, ms, as red lines",
        20);
    int row = 0;
    for (Map.Entry<String, FiltersBenchmark.Run> arm : runs.entrySet()) {
      new Row(out, TOP + ROW * row, seconds, megabytes).draw(arm.getKey(), arm.getValue());
      row++;
    }
    return out.append("</svg>\n").toString();
  }

  private static String words(FiltersBenchmark.Run run) {
    return String.format(
        Locale.ROOT,
        "%.0f MB of heap, %d pauses, the longest %.1f ms",
        run.heapMegabytes(),
        run.pauses().size(),
        run.longestOfAllMillis());
  }

  private static void text(StringBuilder out, String style, double x, String text, double y) {
    Svg.shape(
        out,
        "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
        style,
        x,
        y,
        HtmlText.escape(text));
  }

  /** One arm while it is drawn. */
  private record Row(StringBuilder out, int top, double seconds, double megabytes) {

    private static final int PAUSE_TOP = CHART + 24;
    private static final int PAUSE_HEIGHT = 24;
    private static final double PAUSE_MILLIS = 50; // the full height

    void draw(String name, FiltersBenchmark.Run run) {
      FilterClient.Result result = run.result();
      Svg.shape(
          out,
          "<rect class=\"half\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
          x(result.fromSeconds()),
          top + 20,
          x(result.toSeconds()) - x(result.fromSeconds()),
          CHART - 20);
      for (int tick = 0; tick <= TICKS; tick++) {
        double value = megabytes * tick / TICKS;
        Svg.shape(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y(value), WIDTH - RIGHT);
        text(out, "muted", 12, String.format(Locale.ROOT, "%.0f", value), y(value) + 4);
      }
      line("size", result, false);
      line("use", result, true);
      for (GcLog.Pause pause : run.pauses()) {
        double height = PAUSE_HEIGHT * Math.min(1, pause.millis() / PAUSE_MILLIS);
        Svg.shape(
            out,
            "<path class=\"pause\" d=\"M%.1f %.1fv%.1f\"/>",
            x(pause.seconds()),
            (double) top + PAUSE_TOP + PAUSE_HEIGHT,
            -Math.max(1, height));
      }
      text(out, "", LEFT, name + ": " + words(run), top + 14);
    }

    private void line(String style, FilterClient.Result result, boolean used) {
      String points =
          IntStream.range(0, result.samples().size())
              .mapToObj(result.samples()::get)
              .map(
                  sample ->
                      String.format(
                          Locale.ROOT,
                          "%.1f %.1f",
                          x(sample.seconds()),
                          y((used ? sample.usedBytes() : sample.committedBytes()) / MEGABYTE)))
              .collect(Collectors.joining("L"));
      Svg.shape(out, "<path class=\"%s\" d=\"M%s\"/>", style, points);
    }

    private double x(double at) {
      return LEFT + (WIDTH - LEFT - RIGHT) * Math.min(1, at / seconds);
    }

    private double y(double value) {
      return top + CHART - (CHART - 20) * value / megabytes;
    }
  }
}
