package io.weir.report.svg;

import java.util.Locale;

/** Elements of a picture as text. */
public final class Svg {

  private Svg() {}

  /** Words from {@code x} on, around it or up to it. */
  static void text(
      StringBuilder out,
      double x,
      double y,
      int size,
      int weight,
      String colour,
      String anchor,
      String text) {
    shape(
        out,
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" font-weight=\"%d\" fill=\"%s\" text-anchor=\"%s\">%s</text>",
        x,
        y,
        size,
        weight,
        colour,
        anchor,
        HtmlText.escape(text));
  }

  /** Anything else; numbers are written as everywhere in the world. */
  public static void shape(StringBuilder out, String form, Object... values) {
    out.append(String.format(Locale.ROOT, form, values)).append('\n');
  }
}
