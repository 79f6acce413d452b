package io.weir.figure;

import static io.weir.figure.SourceFigure.known;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.measure;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.SourceFigure.words;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A figure's names and values in each place follow from its id and its unit. */
class SourceFiguresTest {

  private static final SourceFigure<Long> BYTES =
      total("read.ahead", Unit.BYTES, "text", (Long source) -> source);

  private static final SourceFigure<Long> TIME =
      level("paused", Unit.NANOS, "text", (Long source) -> source);

  private static List<String> names(SourceFigure<?> figure) {
    return Stream.of(Shown.values()).map(figure::name).toList();
  }

  private static List<Object> values(SourceFigure<Long> figure, long source) {
    return Stream.of(Shown.values()).map(where -> figure.in(where, source).orElseThrow()).toList();
  }

  @Test
  void name_inEachPlace_isMadeOfIdAndUnit() {
    assertEquals(
        List.of(
            "read.ahead",
            "ReadAheadBytes",
            "read_ahead_bytes",
            "readAheadBytes",
            "read_ahead_bytes",
            "readAheadBytes"),
        names(BYTES));
    assertEquals(
        List.of(
            "paused",
            "PausedMillis",
            "paused_millis",
            "pausedNanos",
            "paused_nanos",
            "pausedSeconds"),
        names(TIME));
    assertEquals(
        "floor_bytes_per_second",
        level("floor", Unit.BYTES_PER_SECOND, "text", (Long source) -> source).name(Shown.ANSWER));
  }

  @Test
  void value_isInTheUnitOfThePlace_andWholeNumbersStayWhole() {
    assertEquals(
        List.of(1L, 1_999L, 1_999L, 1_999_999_999L, 1_999_999_999L, 1L),
        values(TIME, 1_999_999_999));
    assertEquals(List.of(-1L, -1L, -1L, -1L, -1L, -1L), values(TIME, -1));
    assertEquals(1.999999999, TIME.number(Shown.METER, 1_999_999_999L));
    SourceFigure<Long> millis = measure("t", Unit.MILLIS, "text", source -> source / 1e6);
    assertEquals(Optional.of(0.0015), millis.in(Shown.METER, 1_500_000L));
    assertEquals(Optional.of(1.5), millis.in(Shown.BEAN, 1_500_000L));
  }

  @Test
  void value_thatIsUnknown_isEmptyOrNaN() {
    SourceFigure<Long> known = known("t", Unit.NANOS, "text", source -> OptionalLong.empty());
    assertEquals(Optional.empty(), known.in(Shown.BEAN, 1L));
    assertEquals(Double.NaN, known.number(Shown.METER, 1L));
    SourceFigure<Long> measure = measure("t", Unit.SHARE, "text", source -> Double.NaN);
    assertEquals(Optional.empty(), measure.in(Shown.ANSWER, 1L));
    assertEquals(
        Optional.of(Double.POSITIVE_INFINITY),
        SourceFigure.<Long>measure("t", Unit.SHARE, "text", source -> Double.POSITIVE_INFINITY)
            .in(Shown.ANSWER, 1L));
  }

  @Test
  void named_hasThatNameThere_andPerhapsAUnitOfItsOwn() {
    SourceFigure<Long> named =
        TIME.named(Shown.RUN, "waited").named(Shown.BEAN, "PausedNanos", Unit.NANOS);
    assertEquals("waited", named.name(Shown.RUN));
    assertEquals(Optional.of(2L), named.in(Shown.RUN, 2_500_000_000L));
    assertEquals(Optional.of(2_500_000_000L), named.in(Shown.BEAN, 2_500_000_000L));
    assertEquals(Optional.of(2_500L), named.in(Shown.ANSWER, 2_500_000_000L));
  }

  @Test
  void without_isNotShownThere_andOnly_nowhereElse() {
    assertFalse(BYTES.without(Shown.METER).isIn(Shown.METER));
    assertThrows(
        IllegalArgumentException.class, () -> BYTES.without(Shown.METER).name(Shown.METER));
    SourceFigure<Long> only = BYTES.named(Shown.BEAN, "Ahead").only(Shown.BEAN);
    assertEquals("Ahead", only.name(Shown.BEAN));
    assertEquals(List.of(Shown.BEAN), Stream.of(Shown.values()).filter(only::isIn).toList());
    assertFalse(words("w", "text", (Long source) -> "a").isIn(Shown.METER));
  }

  @Test
  void of_twoFiguresOfOneName_isRefused_andNamesThePlace() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                SourceFigures.of(
                    "lucene.merge", BYTES, TIME.named(Shown.ANSWER, "read_ahead_bytes")));
    assertEquals(
        "a name must be that of one figure: ANSWER read_ahead_bytes", refused.getMessage());
  }

  @Test
  void meter_ofASource_beginsWithItsName() {
    SourceFigures<Long> figures = SourceFigures.of("lucene.merge", BYTES).by("kind");
    assertEquals("lucene.merge.read.ahead", figures.meter(BYTES));
    assertEquals(List.of("kind"), figures.tagKeys());
    assertEquals(2, figures.and(TIME).in(Shown.METER).count());
  }
}
