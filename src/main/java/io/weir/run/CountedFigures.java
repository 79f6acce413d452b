package io.weir.run;

import io.weir.figure.Figure;
import io.weir.figure.Shown;
import io.weir.figure.SourceFigure;
import io.weir.figure.SourceFigures;
import io.weir.figure.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Figures of a run that are what a source of Weir's counted in a period: one for each total that
 * {@link Shown#RUN} shows.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param <S> what the totals are read from
 */
public final class CountedFigures<S> {

  private final Map<SourceFigure<S>, Figure<? extends Number>> figures = new LinkedHashMap<>();
  private final List<Figure<? extends Number>> added = new ArrayList<>();

  /**
   * Those of a source. One that {@code all} has already, perhaps because a run knows more about it,
   * stays as it is; the others are added.
   *
   * @param prefix with what their ids begin
   */
  static <S> CountedFigures<S> in(FigureSet all, String prefix, SourceFigures<S> source) {
    CountedFigures<S> counted = new CountedFigures<>();
    source
        .in(Shown.RUN)
        .filter(total -> total.figure().kind() == Figure.Kind.TOTAL)
        .forEach(total -> counted.add(all, prefix + total.name(Shown.RUN), total));
    return counted;
  }

  private void add(FigureSet all, String id, SourceFigure<S> total) {
    figures.put(total, all.number(id).orElseGet(() -> newFigure(all, id, total)));
  }

  private Figure<? extends Number> newFigure(FigureSet all, String id, SourceFigure<S> total) {
    Unit unit = total.unit(Shown.RUN);
    Figure<? extends Number> figure =
        unit == Unit.SECONDS
            ? all.seconds(id, total.figure().text())
            : all.add(id, Long.class, unit, Figure.Kind.TOTAL, total.figure().text());
    added.add(figure);
    return figure;
  }

  /** Those that no class of figures declares, for tables that show each. */
  List<Figure<? extends Number>> added() {
    return List.copyOf(added);
  }

  /** What was counted between two moments. */
  public Values between(S start, S end) {
    return grown(total -> total.total(end) - total.total(start), total -> total.figure().unit());
  }

  /**
   * What was counted, as somebody else tells it.
   *
   * @param growth of each total
   * @param told where: its unit there is that of {@code growth}
   */
  public Values told(ToLongFunction<SourceFigure<S>> growth, Shown told) {
    return grown(growth, total -> total.unit(told));
  }

  private Values grown(
      ToLongFunction<SourceFigure<S>> growth, Function<SourceFigure<S>, Unit> unit) {
    Values.Builder values = Values.builder();
    figures.forEach(
        (total, figure) -> put(values, figure, growth.applyAsLong(total), unit.apply(total)));
    return values.build();
  }

  private static <T extends Number> void put(
      Values.Builder values, Figure<T> figure, long grown, Unit unit) {
    Object value =
        figure.type() == Double.class
            ? (Object) unit.convert(grown, figure.unit())
            : (Object) grown;
    values.put(figure, figure.type().cast(value));
  }
}
