package io.weir.figure;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Where figures of a running source are shown. Each place has its own way to write a name and its
 * own unit of time, so that a {@link SourceFigure} is declared without them.
 */
public enum Shown {
  /** A meter of Micrometer's: {@code lucene.merge.written}, in seconds where it is a time. */
  METER(Unit.SECONDS, Style.DOTTED),
  /** An attribute in JMX: {@code WrittenBytes}, {@code ElapsedMillis}. */
  BEAN(Unit.MILLIS, Style.CAPITALS),
  /** A member of a plug-in's answer: {@code written_bytes}, {@code elapsed_millis}. */
  ANSWER(Unit.MILLIS, Style.SNAKE),
  /** A field of an event of the flight recorder: {@code writtenBytes}, {@code elapsedNanos}. */
  EVENT(Unit.NANOS, Style.CAMEL),
  /** A column of {@code samples.csv}: {@code written_bytes}, {@code elapsed_nanos}. */
  SAMPLE(Unit.NANOS, Style.SNAKE),
  /** A figure of a run: {@code writtenBytes}, {@code elapsedSeconds}. */
  RUN(Unit.SECONDS, Style.CAMEL);

  private enum Style {
    DOTTED,
    CAPITALS,
    SNAKE,
    CAMEL
  }

  private final Unit time;
  private final Style style;

  Shown(Unit time, Style style) {
    this.time = time;
    this.style = style;
  }

  /** The unit in which a figure of {@code unit} is shown here: the place's own if it is a time. */
  public Unit unitOf(Unit unit) {
    return Objects.requireNonNull(unit, "unit").isTime() ? time : unit;
  }

  /** The name of a figure here; only a meter's goes without its unit. */
  String name(String id, Unit unit) {
    String capitals =
        Arrays.stream(id.split("\\.")).map(Shown::capital).collect(Collectors.joining())
            + unitOf(unit).word();
    return switch (style) {
      case DOTTED -> id;
      case CAPITALS -> capitals;
      case SNAKE -> capitals.replaceAll("(?<!^)(?=\\p{Lu})", "_").toLowerCase(Locale.ROOT);
      case CAMEL -> capitals.substring(0, 1).toLowerCase(Locale.ROOT) + capitals.substring(1);
    };
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
