package io.weir.figure;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A figure of something that runs: what it is, and what reads it. It is {@linkplain Shown shown}
 * everywhere unless it says otherwise, under a name made of its id and its unit.
 *
 * <p><b>Threads:</b> immutable. <b>Failure:</b> what its reader throws passes through.
 *
 * @param <S> what it is read from, usually a snapshot
 */
public final class SourceFigure<S> {

  private final Figure<?> figure;
  private final Function<S, ?> reads;
  private final Map<Shown, Name> names; // where they differ from what Shown makes of the id
  private final String counted;

  /**
   * In one place.
   *
   * @param text empty where the figure is not shown
   */
  private record Name(String text, Unit unit) {}

  private SourceFigure(
      Figure<?> figure, Function<S, ?> reads, Map<Shown, Name> names, String counted) {
    this.figure = figure;
    this.reads = reads;
    this.names = names;
    this.counted = counted;
  }

  /**
   * Of values of any type; its reader gives null while they are unknown.
   *
   * @param id words with dots between them, unique in its source
   */
  public static <S, T> SourceFigure<S> of(
      String id, Class<T> type, Unit unit, Figure.Kind kind, String text, Function<S, T> reads) {
    Objects.requireNonNull(reads, "reads");
    return new SourceFigure<>(
        new Figure<>(id, type, unit, kind, text),
        reads,
        new EnumMap<>(Shown.class),
        id.substring(id.lastIndexOf('.') + 1));
  }

  /** What was counted so far, so that it only grows. */
  public static <S> SourceFigure<S> total(
      String id, Unit unit, String text, ToLongFunction<S> reads) {
    Objects.requireNonNull(reads, "reads");
    return of(id, Long.class, unit, Figure.Kind.TOTAL, text, reads::applyAsLong);
  }

  /** A whole number that goes up and down. */
  public static <S> SourceFigure<S> level(
      String id, Unit unit, String text, ToLongFunction<S> reads) {
    Objects.requireNonNull(reads, "reads");
    return of(id, Long.class, unit, Figure.Kind.LEVEL, text, reads::applyAsLong);
  }

  /** A number that goes up and down; {@code NaN} while it is unknown. */
  public static <S> SourceFigure<S> measure(
      String id, Unit unit, String text, ToDoubleFunction<S> reads) {
    Objects.requireNonNull(reads, "reads");
    return of(
        id,
        Double.class,
        unit,
        Figure.Kind.LEVEL,
        text,
        source -> {
          double value = reads.applyAsDouble(source);
          return Double.isNaN(value) ? null : value;
        });
  }

  /** A whole number that goes up and down, or is unknown. */
  public static <S> SourceFigure<S> known(
      String id, Unit unit, String text, Function<S, OptionalLong> reads) {
    Objects.requireNonNull(reads, "reads");
    return of(
        id,
        Long.class,
        unit,
        Figure.Kind.LEVEL,
        text,
        source -> {
          OptionalLong value = reads.apply(source);
          return value.isPresent() ? value.getAsLong() : null;
        });
  }

  /** Words, which are no meter and no column; null while they are unknown. */
  public static <S> SourceFigure<S> words(String id, String text, Function<S, String> reads) {
    Objects.requireNonNull(reads, "reads");
    return of(id, String.class, Unit.NONE, Figure.Kind.FACT, text, reads)
        .without(Shown.METER, Shown.SAMPLE, Shown.RUN);
  }

  /** Sentences, which JMX alone shows. */
  public static <S> SourceFigure<S> sentences(
      String id, String text, Function<S, List<String>> reads) {
    Objects.requireNonNull(reads, "reads");
    return new SourceFigure<>(
            new Figure<>(id, List.class, Unit.NONE, Figure.Kind.FACT, text),
            reads,
            new EnumMap<>(Shown.class),
            id)
        .only(Shown.BEAN);
  }

  /** Numbers by name, which JMX alone shows. */
  public static <S> SourceFigure<S> byName(
      String id, Unit unit, String text, Function<S, Map<String, Double>> reads) {
    Objects.requireNonNull(reads, "reads");
    return new SourceFigure<>(
            new Figure<>(id, Map.class, unit, Figure.Kind.SUMMARY, text),
            reads,
            new EnumMap<>(Shown.class),
            id)
        .only(Shown.BEAN);
  }

  /** The same figure with another name in one place; for a meter, what follows the source's. */
  public SourceFigure<S> named(Shown where, String name) {
    Objects.requireNonNull(where, "where");
    Objects.requireNonNull(name, "name");
    return named(where, name, where.unitOf(figure.unit()));
  }

  /** The same figure with another name in one place, where it has a unit of its own. */
  public SourceFigure<S> named(Shown where, String name, Unit unit) {
    Objects.requireNonNull(where, "where");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(unit, "unit");
    Map<Shown, Name> changed = new EnumMap<>(Shown.class);
    changed.putAll(names);
    changed.put(where, new Name(name, unit));
    return new SourceFigure<>(figure, reads, changed, counted);
  }

  /** The same figure, shown in none of {@code places}. */
  public SourceFigure<S> without(Shown... places) {
    Objects.requireNonNull(places, "places");
    SourceFigure<S> figureWithout = this;
    for (Shown place : places) {
      figureWithout = figureWithout.named(place, "");
    }
    return figureWithout;
  }

  /** The same figure, shown in {@code places} alone. */
  public SourceFigure<S> only(Shown... places) {
    Objects.requireNonNull(places, "places");
    SourceFigure<S> figureOnly = without(Shown.values());
    for (Shown place : places) {
      figureOnly.names.remove(place);
      if (names.containsKey(place)) {
        figureOnly.names.put(place, names.get(place));
      }
    }
    return figureOnly;
  }

  /**
   * The same figure with the plural of what it counts, which is the unit of its meter. Without this
   * it is the last word of the id.
   */
  public SourceFigure<S> counting(String things) {
    Objects.requireNonNull(things, "things");
    return new SourceFigure<>(figure, reads, names, things);
  }

  /** What it is; the type and the unit are those that its reader gives. */
  public Figure<?> figure() {
    return figure;
  }

  /** The plural of what it counts. */
  public String counted() {
    return counted;
  }

  /** Whether it is shown there. */
  public boolean isIn(Shown where) {
    Objects.requireNonNull(where, "where");
    return !names.containsKey(where) || !names.get(where).text().isEmpty();
  }

  /**
   * Its name there.
   *
   * @throws IllegalArgumentException if it is not shown there
   */
  public String name(Shown where) {
    if (!isIn(where)) {
      throw new IllegalArgumentException(figure.id() + " must be shown as " + where);
    }
    return names.containsKey(where)
        ? names.get(where).text()
        : where.name(figure.id(), figure.unit());
  }

  /** The unit of its values there. */
  public Unit unit(Shown where) {
    Objects.requireNonNull(where, "where");
    return names.containsKey(where) ? names.get(where).unit() : where.unitOf(figure.unit());
  }

  /**
   * Its value in the unit in which it is shown there; empty while it is unknown. Whole numbers stay
   * whole, and lose what is less than one.
   */
  public Optional<Object> in(Shown where, S source) {
    Objects.requireNonNull(where, "where");
    Objects.requireNonNull(source, "source");
    return Optional.ofNullable(reads.apply(source))
        .map(
            value ->
                value instanceof Number number && unit(where) != figure.unit()
                    ? converted(number, unit(where))
                    : value);
  }

  private Number converted(Number value, Unit to) {
    double converted = figure.unit().convert(value.doubleValue(), to);
    return value instanceof Double ? (Number) converted : (Number) (long) Math.floor(converted);
  }

  /** What a {@link #total} has counted so far, in its own unit. */
  public long total(S source) {
    Objects.requireNonNull(source, "source");
    return (Long) reads.apply(source);
  }

  /** Its value as a number in the unit in which it is shown there; {@code NaN} while unknown. */
  public double number(Shown where, S source) {
    Objects.requireNonNull(where, "where");
    Objects.requireNonNull(source, "source");
    return reads.apply(source) instanceof Number number
        ? figure.unit().convert(number.doubleValue(), unit(where))
        : Double.NaN;
  }
}
