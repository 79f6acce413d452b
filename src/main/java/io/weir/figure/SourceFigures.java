package io.weir.figure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The figures of one kind of source, in the order in which they are shown. What shows figures walks
 * such a set: meters, attributes in JMX, fields of events, members of answers, columns of samples,
 * figures of a run. A figure is added in one place, here, and appears in all of these.
 *
 * <p>A source's class keeps its set in a constant {@code FIGURES}.
 *
 * <p><b>Threads:</b> immutable. <b>Failure:</b> two figures that one place shows under the same
 * name are an {@link IllegalArgumentException}.
 *
 * @param <S> what they are read from
 */
public final class SourceFigures<S> implements Iterable<SourceFigure<S>> {

  private final String meters;
  private final List<String> tagKeys;
  private final List<SourceFigure<S>> figures;

  private SourceFigures(String meters, List<String> tagKeys, List<SourceFigure<S>> figures) {
    this.meters = meters;
    this.tagKeys = tagKeys;
    this.figures = List.copyOf(figures);
    for (Shown where : Shown.values()) {
      Set<String> names = new HashSet<>();
      in(where)
          .forEach(
              figure -> {
                if (!names.add(figure.name(where))) {
                  throw new IllegalArgumentException(
                      "a name must be that of one figure: " + where + " " + figure.name(where));
                }
              });
    }
  }

  /**
   * Of these figures.
   *
   * @param meters with what the names of their meters begin
   */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <S> SourceFigures<S> of(String meters, SourceFigure<S>... figures) {
    Objects.requireNonNull(meters, "meters");
    Objects.requireNonNull(figures, "figures");
    return new SourceFigures<>(meters, List.of(), List.of(figures));
  }

  /**
   * The same figures of a source of which there are several.
   *
   * @param keys the keys of the tags that tell them apart
   */
  public SourceFigures<S> by(String... keys) {
    Objects.requireNonNull(keys, "keys");
    return new SourceFigures<>(meters, List.of(keys), figures);
  }

  /** These figures and one more. */
  public SourceFigures<S> and(SourceFigure<S> figure) {
    Objects.requireNonNull(figure, "figure");
    List<SourceFigure<S>> more = new ArrayList<>(figures);
    more.add(figure);
    return new SourceFigures<>(meters, tagKeys, more);
  }

  /** The keys of the tags that tell sources apart. */
  public List<String> tagKeys() {
    return tagKeys;
  }

  /** The whole name of a figure's meter. */
  public String meter(SourceFigure<S> figure) {
    return meters + "." + Objects.requireNonNull(figure, "figure").name(Shown.METER);
  }

  /** Those that are shown in one place. */
  public Stream<SourceFigure<S>> in(Shown where) {
    Objects.requireNonNull(where, "where");
    return figures.stream().filter(figure -> figure.isIn(where));
  }

  @Override
  public Iterator<SourceFigure<S>> iterator() {
    return figures.iterator();
  }
}
