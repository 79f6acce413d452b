package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DocumentDateTest {

  @Test
  void epochMillis_formsOfCorpora_areRead() {
    assertDate("2001-01-15T00:00:00Z", "15-JAN-2001 00:00:00.000");
    assertDate("2011-09-05T06:07:08.009Z", "05-Sep-2011 06:07:08.009");
    assertDate("2011-09-05T06:07:08Z", "5-sep-2011 06:07:08");
    assertDate("2011-09-05T00:00:00Z", "05-SEP-2011");
    assertDate("2012-05-01T12:30:00Z", "2012-05-01T12:30:00Z");
    assertDate("2012-05-01T10:30:00.5Z", "2012-05-01T12:30:00.500+02:00");
    assertDate("2012-05-01T12:30:00Z", "2012-05-01 12:30:00");
    assertDate("2012-05-01T12:30:00Z", "2012-05-01T12:30");
    assertDate("2012-05-01T00:00:00Z", "2012-05-01");
    assertDate("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z");
    assertDate("2012-05-01T00:00:00Z", " 2012-05-01 ");
  }

  @Test
  void epochMillis_anythingElse_isAbsent() {
    for (String date :
        List.of(
            "", "-", "yesterday", "2012", "2012-13-01", "32-JAN-2001", "2012-05-01X", "1/2/3")) {
      assertEquals(OptionalLong.empty(), DocumentDate.epochMillis(date), date);
    }
  }

  private static void assertDate(String instant, String date) {
    assertEquals(
        OptionalLong.of(Instant.parse(instant).toEpochMilli()),
        DocumentDate.epochMillis(date),
        date);
  }
}
