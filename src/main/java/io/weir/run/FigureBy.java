package io.weir.run;

import io.weir.figure.Figure;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * A figure for each of some constants of an enum, such as each phase or each kind of merge.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param <E> what there is one for each of
 * @param <T> of their values
 */
public final class FigureBy<E extends Enum<E>, T> {

  /** In an id, where the constant's own name goes, in lower case. */
  private static final String PLACE = "*";

  private final Map<E, Figure<T>> figures;

  private FigureBy(Map<E, Figure<T>> figures) {
    this.figures = figures;
  }

  /**
   * One figure for each of {@code constants}.
   *
   * @param ids their ids, with a {@code *} for the name of the constant
   * @param figure makes the figure of an id
   */
  public static <E extends Enum<E>, T> FigureBy<E, T> of(
      Collection<E> constants, String ids, Function<String, Figure<T>> figure) {
    if (!ids.contains(PLACE)) {
      throw new IllegalArgumentException("ids must have a * for the constant: " + ids);
    }
    Map<E, Figure<T>> figures = new EnumMap<>(constants.iterator().next().getDeclaringClass());
    for (E constant : constants) {
      String name = constant.name().toLowerCase(Locale.ROOT);
      figures.put(constant, figure.apply(ids.replace(PLACE, name)));
    }
    return new FigureBy<>(figures);
  }

  /**
   * The figure of one constant.
   *
   * @throws IllegalArgumentException if there is none for it
   */
  public Figure<T> of(E constant) {
    Figure<T> figure = figures.get(constant);
    if (figure == null) {
      throw new IllegalArgumentException(
          "there must be a figure for it, there is one for each of %s: %s"
              .formatted(figures.keySet(), constant));
    }
    return figure;
  }
}
