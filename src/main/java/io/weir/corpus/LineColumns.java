package io.weir.corpus;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The columns of title, date and body in a line file, counted from 0.
 *
 * <p>Files begin with a header that names their columns, or have title, date and body without one.
 * The names are those that Lucene's benchmark module and luceneutil write. Other columns, such as
 * {@code RandomLabel}, are ignored.
 *
 * @param date absent if the header has none
 */
record LineColumns(int title, OptionalInt date, int body) {

  static final LineColumns WITHOUT_HEADER = new LineColumns(0, OptionalInt.of(1), 2);

  private static final String HEADER = "FIELDS_HEADER_INDICATOR###";

  private static final List<String> TITLE_NAMES = List.of("title", "doctitle");
  private static final List<String> DATE_NAMES = List.of("date", "docdate", "timestamp");
  private static final List<String> BODY_NAMES = List.of("body", "text");

  static boolean isHeader(String line) {
    return line.startsWith(HEADER);
  }

  /** The columns that a header names; absent if it names no title or no body. */
  static Optional<LineColumns> ofHeader(String line) {
    // Some files have a TAB between the indicator and the first name.
    String names = line.substring(HEADER.length()).toLowerCase(Locale.ROOT);
    List<String> columns =
        Arrays.asList((names.startsWith("\t") ? names.substring(1) : names).split("\t"));
    OptionalInt title = indexOf(columns, TITLE_NAMES);
    OptionalInt body = indexOf(columns, BODY_NAMES);
    return title.isPresent() && body.isPresent()
        ? Optional.of(
            new LineColumns(title.getAsInt(), indexOf(columns, DATE_NAMES), body.getAsInt()))
        : Optional.empty();
  }

  /** The minimum number of columns of a line. */
  int needed() {
    return 1 + Math.max(Math.max(title, body), date.orElse(0));
  }

  private static OptionalInt indexOf(List<String> columns, List<String> names) {
    for (int i = 0; i < columns.size(); i++) {
      if (names.contains(columns.get(i).strip())) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }
}
