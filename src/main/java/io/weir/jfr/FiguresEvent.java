package io.weir.jfr;

import io.weir.figure.Shown;
import io.weir.figure.SourceFigure;
import io.weir.figure.SourceFigures;
import io.weir.figure.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;

/**
 * A kind of event whose fields are the figures of a source, after the name of what they belong to.
 * An unknown number is -1.
 *
 * <p>The recorder knows a kind from its making to the end of the JVM. An application that is
 * deployed again has it once more, without events: a kind that left the recorder would take the
 * first chunk from the next {@code RecordingStream} (seen with JDK 25).
 *
 * <p><b>Threads:</b> any; each event is that of one thread at a time.
 *
 * @param <S> what the figures are read from
 */
final class FiguresEvent<S> {

  private final List<SourceFigure<S>> figures;
  private final EventFactory factory;

  private FiguresEvent(List<SourceFigure<S>> figures, EventFactory factory) {
    this.figures = figures;
    this.factory = factory;
  }

  /**
   * A kind of event.
   *
   * @param name after the package's
   * @param group below Weir's own
   * @param owner what the figures belong to: the first field
   * @param more further annotations of the event
   */
  static <S> FiguresEvent<S> of(
      String name,
      String label,
      String description,
      String group,
      String owner,
      SourceFigures<S> of,
      AnnotationElement... more) {
    List<SourceFigure<S>> figures = of.in(Shown.EVENT).toList();
    List<AnnotationElement> annotations = new ArrayList<>(List.of(more));
    annotations.add(new AnnotationElement(Name.class, "io.weir." + name));
    annotations.add(new AnnotationElement(Label.class, label));
    annotations.add(new AnnotationElement(Description.class, description));
    annotations.add(new AnnotationElement(Category.class, new String[] {"Weir", group}));
    annotations.add(new AnnotationElement(StackTrace.class, false));
    List<ValueDescriptor> fields = new ArrayList<>();
    fields.add(
        new ValueDescriptor(
            String.class, owner, List.of(new AnnotationElement(Label.class, capitals(owner)))));
    figures.forEach(figure -> fields.add(field(figure)));
    return new FiguresEvent<>(figures, EventFactory.create(annotations, fields));
  }

  /** At which period an event is sampled, unless a recording says otherwise. */
  static AnnotationElement period(String period) {
    return new AnnotationElement(Period.class, period);
  }

  private static ValueDescriptor field(SourceFigure<?> figure) {
    List<AnnotationElement> annotations = new ArrayList<>();
    annotations.add(new AnnotationElement(Label.class, capitals(figure.figure().id())));
    annotations.add(new AnnotationElement(Description.class, figure.figure().text()));
    Unit unit = figure.unit(Shown.EVENT);
    if (unit == Unit.BYTES || unit == Unit.BYTES_PER_SECOND) {
      annotations.add(new AnnotationElement(DataAmount.class, DataAmount.BYTES));
    } else if (unit == Unit.NANOS) {
      annotations.add(new AnnotationElement(Timespan.class, Timespan.NANOSECONDS));
    } else if (unit == Unit.SHARE) {
      annotations.add(new AnnotationElement(Percentage.class));
    }
    return new ValueDescriptor(type(figure), figure.name(Shown.EVENT), annotations);
  }

  private static Class<?> type(SourceFigure<?> figure) {
    Class<?> type = figure.figure().type();
    if (type == String.class) {
      return String.class;
    }
    return type == Double.class ? double.class : long.class;
  }

  /** {@code rate.limit} as {@code Rate Limit}. */
  private static String capitals(String id) {
    return Arrays.stream(id.split("\\."))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining(" "));
  }

  /** A new event. */
  Event begin() {
    return factory.newEvent();
  }

  /** The class of the events, for periodic ones. */
  Class<? extends Event> type() {
    return factory.newEvent().getClass();
  }

  /** Fills an event, and commits it. */
  void commit(Event event, String owner, S source) {
    event.set(0, owner);
    int field = 1;
    for (SourceFigure<S> figure : figures) {
      event.set(field++, value(figure, source));
    }
    event.commit();
  }

  private static <S> Object value(SourceFigure<S> figure, S source) {
    Object value = figure.in(Shown.EVENT, source).orElse(null);
    Class<?> type = type(figure);
    if (type == String.class) {
      return value;
    }
    Number number = value == null ? Long.valueOf(-1) : (Number) value;
    return type == double.class ? (Object) number.doubleValue() : (Object) number.longValue();
  }
}
