package io.weir.stress.result;

import java.util.function.Function;

/**
 * One value for each of the {@link Phase#MEASURED} phases. Where a phase may lack its value, {@code
 * T} is an {@link java.util.Optional}.
 */
public record Phases<T>(T before, T during, T after) {

  /** Asks {@code of} for each measured phase in turn. */
  public static <T> Phases<T> each(Function<Phase, T> of) {
    return new Phases<>(of.apply(Phase.BEFORE), of.apply(Phase.DURING), of.apply(Phase.AFTER));
  }

  /** The value for {@code phase}. */
  public T get(Phase phase) {
    return switch (phase) {
      case WARMUP -> throw new IllegalArgumentException("results leave the warm-up out");
      case BEFORE -> before;
      case DURING -> during;
      case AFTER -> after;
    };
  }
}
