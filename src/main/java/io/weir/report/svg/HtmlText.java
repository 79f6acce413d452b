package io.weir.report.svg;

/** Text on its way into a page. Everything that a user, a file or a log wrote goes through here. */
public final class HtmlText {
  private HtmlText() {}

  /** Fit for an element's content and for a quoted attribute. */
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

  /** Fit for a script element: valid JSON still, with nothing in it that could end the element. */
  public static String escapeJson(String json) {
    return json.replace("<", "\\u003c");
  }

  private static boolean printable(int c) {
    return c == '\n' || c == '\t' || !Character.isISOControl(c);
  }
}
