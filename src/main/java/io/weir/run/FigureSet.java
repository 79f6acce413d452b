package io.weir.run;

import io.weir.figure.Figure;
import io.weir.figure.Unit;
import java.util.Collection;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The figures that one source has, by their ids. A class of figures keeps one of these in a
 * constant and declares each figure through it, so that none can be left out of it.
 *
 * <p><b>Threads:</b> one while figures are added, any afterwards. <b>Failure:</b> two figures of
 * one id are an {@link IllegalArgumentException}.
 */
public final class FigureSet {

  private final NavigableMap<String, Figure<?>> figures = new TreeMap<>();

  /** Without figures. */
  public FigureSet() {}

  /** All figures of {@code sets}; one that is in two of them is there once. */
  public static FigureSet union(FigureSet... sets) {
    FigureSet union = new FigureSet();
    for (FigureSet set : sets) {
      for (Figure<?> figure : set.all()) {
        if (!figure.equals(union.figures.get(figure.id()))) {
          union.add(figure);
        }
      }
    }
    return union;
  }

  /** Adds a figure, and returns it. */
  public <T> Figure<T> add(Figure<T> figure) {
    if (figures.putIfAbsent(figure.id(), figure) != null) {
      throw new IllegalArgumentException("an id must name one figure: " + figure.id());
    }
    return figure;
  }

  /** A new figure of numbers, or of records of numbers. */
  public <T> Figure<T> add(String id, Class<T> type, Unit unit, Figure.Kind kind, String text) {
    return add(new Figure<>(id, type, unit, kind, text));
  }

  /** How many of something there were. */
  public Figure<Long> count(String id, String text) {
    return add(id, Long.class, Unit.COUNT, Figure.Kind.TOTAL, text);
  }

  /** How many bytes. */
  public Figure<Long> bytes(String id, String text) {
    return add(id, Long.class, Unit.BYTES, Figure.Kind.TOTAL, text);
  }

  /** How long, in seconds. */
  public Figure<Double> seconds(String id, String text) {
    return add(id, Double.class, Unit.SECONDS, Figure.Kind.TOTAL, text);
  }

  /** A number that goes up and down. */
  public Figure<Double> level(String id, Unit unit, String text) {
    return add(id, Double.class, unit, Figure.Kind.LEVEL, text);
  }

  /** A whole number that goes up and down. */
  public Figure<Long> whole(String id, Unit unit, String text) {
    return add(id, Long.class, unit, Figure.Kind.LEVEL, text);
  }

  /** A word or a sentence. */
  public Figure<String> words(String id, String text) {
    return add(id, String.class, Unit.NONE, Figure.Kind.FACT, text);
  }

  /** Yes or no. */
  public Figure<Boolean> flag(String id, String text) {
    return add(id, Boolean.class, Unit.NONE, Figure.Kind.FACT, text);
  }

  /** All of them, in the order of their ids. */
  public Collection<Figure<?>> all() {
    return Collections.unmodifiableCollection(figures.values());
  }

  /**
   * The figure of an id, which is of numbers.
   *
   * @throws IllegalArgumentException if it is not
   */
  @SuppressWarnings("unchecked") // asked
  Optional<Figure<? extends Number>> number(String id) {
    Figure<?> figure = figures.get(id);
    if (figure != null && !Number.class.isAssignableFrom(figure.type())) {
      throw new IllegalArgumentException("it must be a figure of numbers: " + figure);
    }
    return Optional.ofNullable((Figure<? extends Number>) figure);
  }

  /** The figure of an id. */
  public Optional<Figure<?>> of(String id) {
    return Optional.ofNullable(figures.get(id));
  }

  /** Whether there are figures whose ids begin with the words of {@code id} and have more. */
  public boolean hasBelow(String id) {
    String next = figures.higherKey(id + ".");
    return next != null && next.startsWith(id + ".");
  }
}
