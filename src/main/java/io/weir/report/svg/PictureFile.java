package io.weir.report.svg;

import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Series;
import java.io.IOException;
import java.util.List;

/**
 * A picture in a file of its own, without script or network: a title, sentences, and charts in
 * columns, each with a legend.
 *
 * @param title above all
 * @param width of the picture, in pixels
 * @param sentences below the title
 * @param columns from left to right
 */
public record PictureFile(
    String title, int width, List<String> sentences, List<PictureFile.Column> columns) {

  private static final int MARGIN = 28;
  private static final int GUTTER = 52;
  private static final int LINE = 22;
  private static final int TITLE = 34;
  private static final int LETTER = 7;

  /**
   * Charts one below the other.
   *
   * @param name above them; may be blank
   */
  public record Column(String name, List<Chart> charts) {

    private List<Series> key() {
      return charts.stream().flatMap(chart -> chart.named().stream()).toList();
    }
  }

  /** The file. */
  public String render() throws IOException {
    boolean named = columns.stream().anyMatch(column -> !column.name().isEmpty());
    boolean keyed = columns.stream().anyMatch(column -> !column.key().isEmpty());
    int names = MARGIN + TITLE + sentences.size() * LINE + (named ? LINE : 0);
    int top = names + (keyed ? LINE : 0);
    int height =
        top
            + columns.stream().mapToInt(c -> SvgPainter.height(c.charts())).max().orElse(0)
            + MARGIN / 2;
    StringBuilder out = new StringBuilder();
    Svg.shape(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 %d %d\""
            + " width=\"%d\" height=\"%d\" role=\"img\">\n"
            + "<title>%s</title>\n"
            + "<style>%s</style>\n"
            + "<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>",
        width,
        height,
        width,
        height,
        HtmlText.escape(label()),
        ReportResource.read("picture.css") + ReportResource.read("chart.css"));
    text(out, "title", MARGIN, MARGIN + 14, title);
    int y = MARGIN + TITLE;
    for (String sentence : sentences) {
      y += LINE;
      text(out, "headline", MARGIN, y - 6, sentence);
    }
    int each = (width - 2 * MARGIN) / Math.max(1, columns.size()) - GUTTER;
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      int x = MARGIN + GUTTER + i * (each + GUTTER);
      text(out, "name", x, names - 4, column.name());
      if (keyed) {
        key(out, column.key(), x, top - 6);
      }
      Svg.shape(
          out,
          "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" overflow=\"visible\">",
          x,
          top,
          each,
          SvgPainter.height(column.charts()));
      out.append(SvgPainter.elements(column.charts(), true)).append("</svg>\n");
    }
    return out.append("</svg>\n").toString();
  }

  /** The picture in words, for readers who cannot see it. */
  private String label() {
    StringBuilder words = new StringBuilder(title);
    for (Column column : columns) {
      column.charts().forEach(chart -> words.append(". ").append(chart.summary()));
    }
    return words.toString();
  }

  private static void key(StringBuilder out, List<Series> key, int left, int y) {
    int x = left;
    for (Series series : key) {
      Svg.shape(
          out,
          "<svg x=\"%d\" y=\"%d\" width=\"14\" height=\"14\">%s</svg>",
          x,
          y - 11,
          SvgPainter.mark(series));
      text(out, "key", x + 18, y, series.label());
      x += 36 + LETTER * series.label().length();
    }
  }

  private static void text(StringBuilder out, String style, int x, int y, String text) {
    if (!text.isEmpty()) {
      Svg.shape(
          out,
          "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>",
          style,
          x,
          y,
          HtmlText.escape(text));
    }
  }
}
