package io.weir.report.html;

import io.weir.report.chart.Axis;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Series;
import io.weir.report.chart.Chart.Shape;
import io.weir.report.svg.HtmlText;
import io.weir.report.svg.SvgPainter;
import java.util.List;

/** A chart with its heading and its legend, in a frame. */
public final class ChartFigure {

  private ChartFigure() {}

  /**
   * A picture of {@code chart} alone, with its title; empty when it has no values.
   *
   * @param more below it, as HTML
   */
  public static String picture(String attributes, Chart chart, String more) {
    return chart.isMeasured()
        ? of(
            attributes,
            "<h3>%s%s</h3>".formatted(HtmlText.escape(chart.title()), units(chart)),
            "",
            key(chart, false),
            SvgPainter.inPage(chart.summary(), List.of(chart)) + more)
        : "";
  }

  /**
   * The frame.
   *
   * @param attributes of it
   * @param heading as HTML
   * @param summary as plain text; may be blank
   * @param key as HTML
   * @param content as HTML
   */
  static String of(String attributes, String heading, String summary, String key, String content) {
    return "<figure class=\"panel\"%s>\n<figcaption>%s%s%s</figcaption>\n%s</figure>\n"
        .formatted(
            attributes.isEmpty() ? "" : " " + attributes,
            heading,
            summary.isEmpty()
                ? ""
                : "<p class=\"summary\">%s</p>".formatted(HtmlText.escape(summary)),
            key,
            content);
  }

  /** The unit of the left scale, for a heading. */
  static String units(Chart chart) {
    Axis axis = chart.left();
    String unit = axis.unit() + (axis.scale() == Axis.Scale.LOG ? ", logarithmic" : "");
    return unit.isEmpty() ? "" : " <small>%s</small>".formatted(HtmlText.escape(unit));
  }

  /**
   * The legend.
   *
   * @param isLive whether it shows the values at the cursor
   */
  static String key(Chart chart, boolean isLive) {
    return key(List.of(chart), isLive);
  }

  /** The legend of charts that are one picture. */
  static String key(List<Chart> charts, boolean isLive) {
    StringBuilder out = new StringBuilder();
    for (Chart chart : charts) {
      for (Series series : chart.named()) {
        boolean hollow = series.shape().filter(Shape::isHollow).isPresent();
        out.append(hollow ? "<li class=\"hollow\">" : "<li>")
            .append(SvgPainter.mark(series))
            .append(HtmlText.escape(series.label()))
            .append(series.isRight() ? " (%s, right)".formatted(chart.unit(series)) : "")
            .append(isLive ? "<output></output></li>" : "</li>");
      }
    }
    return out.isEmpty() ? "" : "<ul class=\"key\">" + out + "</ul>";
  }
}
