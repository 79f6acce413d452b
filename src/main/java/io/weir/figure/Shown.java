package io.weir.figure;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Where figures of a running source are shown. Each place has its own way to write a name and its
 * own unit of time, so that a {@link SourceFigure} is declared without them.
 */
public enum Shown {
  /** A meter of Micrometer's: {@code lucene.merge.written}, in seconds where it is a time. */
  METER(Unit.SECONDS) {
    @Override
    String join(String[] words, String unit) {
      return String.join(".", words);
    }
  },
  /** An attribute in JMX: {@code WrittenBytes}, {@code PausedMillis}. */
  BEAN(Unit.MILLIS) {
    @Override
    String join(String[] words, String unit) {
      return Arrays.stream(words).map(Shown::capital).collect(Collectors.joining()) + unit;
    }
  },
  /** A member of a plug-in's answer: {@code written_bytes}, {@code paused_millis}. */
  ANSWER(Unit.MILLIS) {
    @Override
    String join(String[] words, String unit) {
      return snake(words, unit);
    }
  },
  /** A field of an event of the flight recorder: {@code writtenBytes}, {@code pausedNanos}. */
  EVENT(Unit.NANOS) {
    @Override
    String join(String[] words, String unit) {
      return camel(words, unit);
    }
  },
  /** A column of {@code samples.csv}: {@code written_bytes}, {@code paused_nanos}. */
  SAMPLE(Unit.NANOS) {
    @Override
    String join(String[] words, String unit) {
      return snake(words, unit);
    }
  },
  /** A figure of a run: {@code writtenBytes}, {@code pausedSeconds}. */
  RUN(Unit.SECONDS) {
    @Override
    String join(String[] words, String unit) {
      return camel(words, unit);
    }
  };

  private final Unit time;

  Shown(Unit time) {
    this.time = time;
  }

  /** The unit in which a figure of {@code unit} is shown here: the place's own if it is a time. */
  public Unit unitOf(Unit unit) {
    return unit.isTime() ? time : unit;
  }

  /** The name of a figure here. */
  final String name(String id, Unit unit) {
    return join(id.split("\\."), unitOf(unit).word());
  }

  abstract String join(String[] words, String unit);

  private static String snake(String[] words, String unit) {
    String name = String.join("_", words);
    return unit.isEmpty()
        ? name
        : name + unit.replaceAll("(?=\\p{Lu})", "_").toLowerCase(Locale.ROOT);
  }

  private static String camel(String[] words, String unit) {
    return words[0]
        + Arrays.stream(words).skip(1).map(Shown::capital).collect(Collectors.joining())
        + unit;
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
