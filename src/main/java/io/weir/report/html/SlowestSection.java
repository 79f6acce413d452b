package io.weir.report.html;

import io.weir.report.model.ReopenPart;
import io.weir.report.model.SlowestReopens;
import io.weir.report.model.SlowestReopens.Slow;
import io.weir.report.svg.ArmMarks;
import io.weir.report.svg.HtmlText;
import io.weir.report.svg.PercentileChart;
import io.weir.report.svg.Svg;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The part of the page that shows where the slowest reopens spent their time: a bar for each, cut
 * into the parts of a reopen, and the same as a table. Each arm has its own scale, so that the
 * parts of fast reopens stay visible. A strip above the bars compares the slowest of the arm with
 * the slowest of all arms.
 */
final class SlowestSection {

  private static final int ROW_PIXELS = 22;
  private static final int BAR_PIXELS = 16;
  private static final int AXIS_PIXELS = 22;
  private static final int STRIP_PIXELS = 18;

  /** A narrower part has no room for its number. */
  private static final double NUMBERED_PERCENT = 4.5;

  /** Leaves room for the figure beside the longest bar. */
  private static final double HEADROOM = 1.02;

  private static final int SUMMARY_PARTS = 3;

  private final List<SlowestReopens> arms;
  private final ArmMarks marks;
  private final boolean rounds;
  private final List<ReopenPart> parts;
  private final double mostMillis;

  private SlowestSection(List<SlowestReopens> arms, ArmMarks marks) {
    this.arms = arms;
    this.marks = marks;
    this.rounds = arms.stream().flatMap(a -> a.slowest().stream()).anyMatch(s -> s.round() > 1);
    Set<ReopenPart> present = EnumSet.noneOf(ReopenPart.class);
    arms.forEach(arm -> present.addAll(arm.parts().keySet()));
    this.parts = List.copyOf(present);
    this.mostMillis =
        arms.stream()
            .mapToDouble(arm -> arm.slowest().getFirst().latencyNanos() / 1e6)
            .max()
            .orElse(1);
  }

  /** Empty when no arm had a reopen during the merge. */
  static String html(List<SlowestReopens> arms, ArmMarks marks) {
    return arms.isEmpty() ? "" : new SlowestSection(arms, marks).html();
  }

  private String html() {
    StringBuilder out = new StringBuilder();
    out.append(
        """
        <section aria-labelledby="slowest">
        <h2 id="slowest">Where the slowest reopens spent their time</h2>
        <p class="hint">The %d slowest reopens of each arm during the merge%s, from their intended \
        start. Each arm has its own scale; the strip above its bars compares its slowest reopen with \
        the slowest of all arms. The numbers stand for the parts of a reopen, in their order.</p>
        """
            .formatted(SlowestReopens.MOST, rounds ? ", in all rounds" : ""));
    out.append("<ol class=\"key parts\">");
    for (ReopenPart part : parts) {
      out.append(
          "<li><b class=\"part-%d\">%d</b>%s</li>"
              .formatted(part.number(), part.number(), part.label()));
    }
    out.append("</ol>\n<div class=\"two\">\n");
    arms.forEach(arm -> append(out, arm));
    return out.append("</div>\n</section>\n").toString();
  }

  private void append(StringBuilder out, SlowestReopens arm) {
    String name = HtmlText.escape(arm.arm());
    String summary = HtmlText.escape(summary(arm));
    out.append(
        "<figure class=\"panel\" data-slowest=\"%d\">\n<figcaption><h3>%s</h3><p class=\"summary\">%s</p></figcaption>\n"
            .formatted(marks.names().indexOf(arm.arm()), name, summary));
    double ownMillis = arm.slowest().getFirst().latencyNanos() / 1e6;
    int height = arm.slowest().size() * ROW_PIXELS + STRIP_PIXELS;
    Svg.shape(
        out,
        "<svg class=\"chart bars\" height=\"%d\" role=\"img\" aria-label=\"%s: %s\">",
        height + AXIS_PIXELS,
        name,
        summary);
    strip(out, ownMillis);
    for (double tick : ticks(ownMillis)) {
      double x = percent(tick, ownMillis);
      Svg.shape(
          out,
          "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
          x,
          x,
          STRIP_PIXELS,
          height + 2);
      Svg.shape(
          out,
          "<text class=\"below\" x=\"%.2f%%\" y=\"%d\">%s</text>",
          x,
          height + 17,
          PercentileChart.plain(tick) + (tick == 0 ? " ms" : ""));
    }
    for (int i = 0; i < arm.slowest().size(); i++) {
      append(out, arm.slowest().get(i), STRIP_PIXELS + i * ROW_PIXELS, ownMillis);
    }
    out.append("</svg>\n<details><summary>The same as a table</summary>\n");
    out.append(HtmlTable.of(table(arm)));
    out.append("</details>\n</figure>\n");
  }

  private void append(StringBuilder out, Slow slow, int y, double ownMillis) {
    int middle = y + ROW_PIXELS / 2 + 4;
    Svg.shape(
        out,
        "<text class=\"left\" dx=\"-8\" y=\"%d\">%s</text>",
        middle,
        HtmlText.escape(when(slow)));
    double from = 0;
    for (Map.Entry<ReopenPart, Long> part : slow.reopen().parts().entrySet()) {
      double width = percent(part.getValue() / 1e6, ownMillis);
      int number = part.getKey().number();
      Svg.shape(
          out,
          "<rect class=\"part-%d\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"%d\"><title>%s"
              + " %s ms</title></rect>",
          number,
          from,
          y + (ROW_PIXELS - BAR_PIXELS) / 2,
          width,
          BAR_PIXELS,
          part.getKey().label(),
          Figures.brief(part.getValue() / 1e6));
      if (width >= NUMBERED_PERCENT) {
        Svg.shape(
            out,
            "<text class=\"within\" x=\"%.2f%%\" y=\"%d\">%d</text>",
            from + width / 2,
            middle,
            number);
      }
      from += width;
    }
    Svg.shape(
        out,
        "<text class=\"behind\" x=\"%.2f%%\" dx=\"6\" y=\"%d\">%s ms%s</text>",
        from,
        middle,
        Figures.brief(slow.latencyNanos() / 1e6),
        slow.reopen().failed() ? ", failed" : "");
  }

  private String when(Slow slow) {
    String at = Figures.oneDecimal(slow.reopen().intendedNanos() / 1e9) + " s";
    return rounds ? "r" + slow.round() + " \u00b7 " + at : at;
  }

  /** Compares the longest bar with the longest of all arms. */
  private void strip(StringBuilder out, double ownMillis) {
    if (arms.size() > 1) {
      Svg.shape(
          out,
          "<text class=\"left\" dx=\"-8\" y=\"11\">all arms</text><rect class=\"track\" y=\"4\""
              + " width=\"100%%\" height=\"6\"/><rect class=\"share\" y=\"4\" width=\"%.2f%%\""
              + " height=\"6\"/><text class=\"behind\" x=\"100%%\" dx=\"6\" y=\"11\">%s ms</text>",
          ownMillis / mostMillis * 100,
          Figures.brief(mostMillis));
    }
  }

  private static double percent(double millis, double ownMillis) {
    return millis / (ownMillis * HEADROOM) * 100;
  }

  private static List<Double> ticks(double ownMillis) {
    double step = Math.pow(10, Math.floor(Math.log10(ownMillis)));
    step = ownMillis / step < 2 ? step / 2 : ownMillis / step < 5 ? step : step * 2;
    List<Double> ticks = new ArrayList<>();
    for (double tick = 0; tick <= ownMillis; tick += step) {
      ticks.add(tick);
    }
    return ticks;
  }

  /**
   * {@code The slowest 10 of 1391 reopens took 28 to 64 ms: apply deletes 52 %, flush 30 %, warm 5
   * %}.
   */
  private static String summary(SlowestReopens arm) {
    String least = Figures.brief(arm.slowest().getLast().latencyNanos() / 1e6);
    String most = Figures.brief(arm.slowest().getFirst().latencyNanos() / 1e6);
    String parts =
        arm.parts().entrySet().stream()
            .sorted(Map.Entry.<ReopenPart, Long>comparingByValue().reversed())
            .limit(SUMMARY_PARTS)
            .map(
                part ->
                    "%s %d %%"
                        .formatted(
                            part.getKey().label(),
                            Math.round(100.0 * part.getValue() / arm.totalNanos())))
            .collect(Collectors.joining(", "));
    return "The slowest %d of %s took %s ms: %s"
        .formatted(
            arm.slowest().size(),
            Figures.count(arm.count(), "reopen"),
            least.equals(most) ? most : least + " to " + most,
            parts);
  }

  private Table table(SlowestReopens arm) {
    Sheet<Slow> sheet =
        Sheet.<Slow>of("The slowest reopens of " + arm.arm() + " by part")
            .word("due at", "s", row -> Figures.oneDecimal(row.reopen().intendedNanos() / 1e9))
            .text("round", "", row -> Integer.toString(row.round()))
            .when(rounds);
    for (ReopenPart part : parts) {
      sheet =
          sheet.text(
              part.label(),
              "ms",
              row -> Figures.oneDecimal(row.reopen().parts().getOrDefault(part, 0L) / 1e6));
    }
    return sheet
        .text("latency", "ms", row -> Figures.oneDecimal(row.latencyNanos() / 1e6))
        .table(arm.slowest());
  }
}
