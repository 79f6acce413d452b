package io.weir.report.svg;

import io.weir.report.model.LatencyCurve;
import io.weir.report.model.LatencyCurve.Step;
import io.weir.report.words.Figures;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Percentile curves as a picture. Upwards is the latency, logarithmic; to the right the percentile
 * p, as the logarithm of 1/(1-p), so that each nine has the same room. A curve of n values ends at
 * 1-1/n with a step to its largest.
 *
 * <p>Places are percentages and letters keep their size, so one picture fits a phone, a wide screen
 * and paper. It needs no script.
 */
public final class PercentileChart {

  /** The percentiles at which a curve carries its arm's mark, besides its end. */
  private static final List<Double> MARKED = List.of(50.0, 90.0, 99.0, 99.9, 99.99, 99.999);

  /**
   * The coordinates of curves in both directions; smaller steps than {@link #UNSEEN} are joined.
   */
  private static final double UNITS = 1000;

  private static final double UNSEEN = 2;
  private static final int LEAST_COUNT = 100;
  private static final double LABEL_PERCENT = 5.6;
  private static final int LABEL_LETTERS = 15;

  private final List<LatencyCurve> curves;
  private final ArmMarks marks;
  private final LogScale millis;
  private final double nines;

  /**
   * @param curves at least one
   */
  public PercentileChart(List<LatencyCurve> curves, ArmMarks marks) {
    this.curves = curves;
    this.marks = marks;
    double least = curves.stream().mapToDouble(curve -> curve.millisAt(5)).min().orElseThrow();
    double most = curves.stream().mapToDouble(LatencyCurve::maxMillis).max().orElseThrow();
    this.millis = LogScale.round(least, most, 100, 0);
    long count = curves.stream().mapToLong(LatencyCurve::count).max().orElseThrow();
    this.nines = Math.log10(Math.max(LEAST_COUNT, count));
  }

  /**
   * @param what "Reopen latency during the merge"
   */
  public String svg(String what) {
    StringBuilder out = new StringBuilder();
    Svg.shape(
        out,
        "<svg class=\"chart percentiles\" role=\"img\" aria-label=\"%s\">",
        HtmlText.escape(label(what)));
    for (double tick : millis.ticks()) {
      double y = y(tick);
      Svg.shape(out, "<line class=\"grid\" x2=\"100%%\" y1=\"%.2f%%\" y2=\"%.2f%%\"/>", y, y);
      Svg.shape(
          out,
          "<text class=\"left\" dx=\"-7\" dy=\"4\" y=\"%.2f%%\">%s</text>",
          y,
          HtmlText.escape(tickText(tick)));
    }
    for (double percentile : MARKED) {
      double x = x(1 - percentile / 100);
      if (x <= 100) {
        Svg.shape(out, "<line class=\"grid\" y2=\"100%%\" x1=\"%.2f%%\" x2=\"%.2f%%\"/>", x, x);
        Svg.shape(
            out,
            "<text class=\"below\" x=\"%.2f%%\" y=\"100%%\" dy=\"18\">%s %%</text>",
            x,
            plain(percentile));
      }
    }
    curves.forEach(curve -> append(out, curve));
    appendEnds(out);
    return out.append("</svg>\n").toString();
  }

  private void append(StringBuilder out, LatencyCurve curve) {
    String arm = curve.arm();
    Svg.shape(
        out,
        "<g class=\"%s\"><svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\"><path"
            + " class=\"line\" d=\"%s\"/></svg>",
        marks.style(arm),
        path(curve));
    for (double percentile : MARKED) {
      if (curve.has(percentile)) {
        mark(out, arm, x(1 - percentile / 100), y(curve.millisAt(percentile)));
      }
    }
    mark(out, arm, endX(curve), y(curve.maxMillis()));
    out.append("</g>\n");
  }

  private void mark(StringBuilder out, String arm, double x, double y) {
    Svg.shape(
        out,
        "<svg class=\"mark\" x=\"%.2f%%\" y=\"%.2f%%\"><path d=\"%s\"/></svg>",
        x,
        y,
        marks.shape(arm));
  }

  /** A step for each value; steps too small to see are joined with the next. */
  private String path(LatencyCurve curve) {
    StringBuilder path = new StringBuilder();
    long drawnX = 0;
    long drawnY = Long.MIN_VALUE;
    double end = endX(curve);
    for (Step step : curve.steps()) {
      double below = step.fromCount() / (double) curve.count();
      long x = units(Math.min(end, x(1 - below)));
      long y = units(y(step.millis()));
      boolean last = step.fromCount() >= curve.count() - 1;
      if (drawnY == Long.MIN_VALUE) {
        path.append("M0 ").append(y);
      } else if (last || Math.abs(drawnY - y) >= UNSEEN) {
        path.append(x == drawnX ? "" : "H" + x).append("V").append(y);
      } else {
        continue;
      }
      drawnX = x;
      drawnY = y;
    }
    return path.append("H")
        .append(units(end))
        .append("V")
        .append(units(y(curve.maxMillis())))
        .toString();
  }

  /** Names and largest values at the right, moved apart so that they do not touch. */
  private void appendEnds(StringBuilder out) {
    List<LatencyCurve> down = new ArrayList<>(curves);
    down.sort(Comparator.comparingDouble(LatencyCurve::maxMillis).reversed());
    double from = 0;
    double room = 100 - (down.size() - 1) * LABEL_PERCENT;
    out.append("<g class=\"ends\">\n");
    for (LatencyCurve curve : down) {
      double end = y(curve.maxMillis());
      double y = Math.max(from, Math.min(end, room));
      from = y + LABEL_PERCENT;
      room += LABEL_PERCENT;
      Svg.shape(
          out,
          "<line class=\"lead\" x1=\"%.2f%%\" y1=\"%.2f%%\" x2=\"100%%\" y2=\"%.2f%%\"/>",
          endX(curve),
          end,
          end);
      Svg.shape(
          out,
          "<text class=\"%s\" x=\"100%%\" dx=\"10\" dy=\"4\" y=\"%.2f%%\"><tspan"
              + " class=\"name\">%s</tspan> %s ms</text>",
          marks.style(curve.arm()),
          y,
          HtmlText.escape(shortened(curve.arm())),
          Figures.brief(curve.maxMillis()));
    }
    out.append("</g>\n");
  }

  private String label(String what) {
    return what
        + " by percentile. "
        + curves.stream().map(PercentileChart::sentence).collect(Collectors.joining(" "));
  }

  private static String sentence(LatencyCurve curve) {
    StringBuilder text = new StringBuilder();
    text.append("%s: %d values, ".formatted(curve.arm(), curve.count()));
    for (double percentile : List.of(50.0, 90.0, 99.0, 99.9)) {
      if (curve.has(percentile)) {
        text.append(
            "p%s %s ms, ".formatted(plain(percentile), Figures.brief(curve.millisAt(percentile))));
      }
    }
    return text.append("largest %s ms.".formatted(Figures.brief(curve.maxMillis()))).toString();
  }

  /** The place of the percentile with the share {@code above} over it, in per cent of the width. */
  private double x(double above) {
    return above <= 0 ? Double.POSITIVE_INFINITY : -Math.log10(above) / nines * 100;
  }

  private double endX(LatencyCurve curve) {
    return Math.log10(curve.count()) / nines * 100;
  }

  private double y(double value) {
    return millis.at(value);
  }

  private static long units(double percent) {
    return Math.round(percent / 100 * UNITS);
  }

  private static String tickText(double tick) {
    return tick >= 1 ? Long.toString(Math.round(tick)) : plain(tick);
  }

  /** {@code 50}, {@code 99.9}. */
  public static String plain(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  private static String shortened(String arm) {
    return arm.length() <= LABEL_LETTERS ? arm : arm.substring(0, LABEL_LETTERS - 1) + "\u2026";
  }
}
