package io.weir.report.svg;

/** Escapes text for a page or a picture: everything that a user, a file or a log wrote. */
public final class HtmlText {
  private HtmlText() {}

  /** Escapes {@code text} for the content of an element and for a quoted attribute. */
  public static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(printable(c) ? c : 0xfffd);
              }
            });
    return out.toString();
  }

  /** Escapes JSON for a script element: the result is still valid and cannot end the element. */
  public static String escapeJson(String json) {
    return json.replace("<", "\\u003c");
  }

  private static boolean printable(int c) {
    return c == '\n' || c == '\t' || !Character.isISOControl(c);
  }
}
