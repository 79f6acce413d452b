package io.weir.report.svg;

import java.util.Locale;

/** Elements of a picture, as text. */
public final class Svg {

  private Svg() {}

  /** Appends an element; numbers have a point for their decimals, whatever the locale. */
  public static void shape(StringBuilder out, String form, Object... values) {
    out.append(String.format(Locale.ROOT, form, values)).append('\n');
  }
}
