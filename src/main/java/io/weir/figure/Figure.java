package io.weir.figure;

import java.util.Objects;

/**
 * What one measured figure is. Who has values keeps them beside it; this is only what is the same
 * for all of them.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param <T> of its values
 * @param id its name for users, unique among the figures of its source: dots part its words
 * @param type of its values
 * @param unit of its values
 * @param kind what may be done with two of them
 * @param text what it is, in a sentence without its first capital and its full stop
 */
public record Figure<T>(String id, Class<T> type, Unit unit, Kind kind, String text) {

  /** What the values of a figure are. */
  public enum Kind {
    /** What was counted in a period, so that periods add up. */
    TOTAL,
    /** A number that goes up and down, at a moment or over a period. */
    LEVEL,
    /** A few numbers that stand for many, such as the percentiles of latencies. */
    SUMMARY,
    /** A word, a sentence, yes or no: no number. */
    FACT
  }

  /** Refuses an id without words. */
  public Figure {
    Objects.requireNonNull(id, "id");
    if (id.isBlank()) {
      throw new IllegalArgumentException("id must name the figure: it is blank");
    }
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(text, "text");
  }
}
