package io.weir.corpus;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Dates as corpora write them: {@code 15-JAN-2001 00:00:00.000} as in luceneutil's line files, and
 * ISO 8601 with a blank or a T, with or without time, fraction and offset. The default offset is
 * UTC.
 */
final class DocumentDate {

  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendPattern("['T'][' ']")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .toFormatter(Locale.ROOT);

  private static final DateTimeFormatter DAY_FIRST =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("d-")
          .appendText(ChronoField.MONTH_OF_YEAR, months())
          .appendPattern("-uuuu")
          .optionalStart()
          .appendLiteral(' ')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .toFormatter(Locale.ROOT);

  private DocumentDate() {}

  /** Milliseconds since 1970, or absent for any other text. */
  static OptionalLong epochMillis(String text) {
    String date = text.strip();
    boolean yearFirst = date.length() > 4 && date.charAt(4) == '-';
    try {
      TemporalAccessor parsed =
          (yearFirst ? ISO : DAY_FIRST)
              .parseBest(date, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
      OffsetDateTime dateTime =
          switch (parsed) {
            case OffsetDateTime withOffset -> withOffset;
            case LocalDateTime local -> local.atOffset(ZoneOffset.UTC);
            default -> LocalDate.from(parsed).atStartOfDay().atOffset(ZoneOffset.UTC);
          };
      return OptionalLong.of(dateTime.toInstant().toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** Written out, because the short names of months differ between locale data of JDKs. */
  private static Map<Long, String> months() {
    String[] names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
    Map<Long, String> months = new HashMap<>();
    for (int month = 0; month < names.length; month++) {
      months.put(month + 1L, names[month]);
    }
    return months;
  }
}
