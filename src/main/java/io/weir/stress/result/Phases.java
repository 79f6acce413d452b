package io.weir.stress.result;

import java.util.function.Function;

/** One thing for each of the {@link Phase#MEASURED} phases. */
public record Phases<T>(T before, T during, T after) {

  /** Asks {@code of} for each measured phase in turn. */
  public static <T> Phases<T> each(Function<Phase, T> of) {
    return new Phases<>(of.apply(Phase.BEFORE), of.apply(Phase.DURING), of.apply(Phase.AFTER));
  }

  /** The one for {@code phase}. */
  public T get(Phase phase) {
    return switch (phase) {
      case WARMUP -> throw new IllegalArgumentException("nothing is kept of the warm-up");
      case BEFORE -> before;
      case DURING -> during;
      case AFTER -> after;
    };
  }
}
