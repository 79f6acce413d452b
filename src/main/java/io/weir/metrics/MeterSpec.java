package io.weir.metrics;

import io.micrometer.core.instrument.Meter;
import io.weir.figure.Figure;
import io.weir.figure.Shown;
import io.weir.figure.SourceFigure;
import io.weir.figure.SourceFigures;
import io.weir.figure.Unit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a meter is, in the registry and in {@code docs/METRICS.md}. Most are figures of a source;
 * {@link WeirMeter} has the others.
 *
 * @param id the name by Micrometer's convention. A registry translates it for its system;
 *     Prometheus uses underscores, the unit and {@code _total}
 * @param type a counter or gauge may be a function of some state
 * @param unit a base unit of Micrometer's, or the plural of the counted things
 * @param tagKeys those of its own tags, in addition to the application's
 */
record MeterSpec(
    String id, Meter.Type type, String unit, String description, List<String> tagKeys) {

  /** The meters of a source. */
  static <S> Stream<MeterSpec> of(SourceFigures<S> figures) {
    return figures.in(Shown.METER).map(figure -> of(figures, figure));
  }

  static <S> MeterSpec of(SourceFigures<S> figures, SourceFigure<S> figure) {
    return new MeterSpec(
        figures.meter(figure),
        figure.figure().kind() == Figure.Kind.TOTAL ? Meter.Type.COUNTER : Meter.Type.GAUGE,
        unit(figure),
        figure.figure().text(),
        figures.tagKeys());
  }

  private static String unit(SourceFigure<?> figure) {
    Unit unit = figure.unit(Shown.METER);
    return unit == Unit.COUNT
        ? figure.counted()
        : unit.word().replaceAll("(?<!^)(?=\\p{Lu})", "_").toLowerCase(Locale.ROOT);
  }

  /** Whether it is a time that goes up and down, which Micrometer converts for its system. */
  boolean isTimeGauge() {
    return type == Meter.Type.GAUGE && unit.equals("seconds");
  }
}
