package io.weir.stress.setting;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How often an operation of the load is due: at one steady level, or at levels in turn. Then each
 * is held for the same time, the first from the beginning of the load, and the first follows the
 * last.
 *
 * <p><b>Units:</b> levels are operations in the unit of time of their setting, a second or a
 * minute. <b>Threads:</b> immutable.
 *
 * @param levels at least one
 * @param held how long each level is held; empty for a steady rate, which has one level
 */
public record LoadRate(List<Double> levels, Optional<Duration> held) {

  /** Never. */
  public static final LoadRate NONE = steady(0);

  /** Refuses levels that are not held, and a held level that nothing follows. */
  public LoadRate {
    levels = List.copyOf(levels);
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("levels must be at least 1: 0");
    }
    if (held.isPresent() != levels.size() > 1) {
      throw new IllegalArgumentException(
          "held must be given with several levels, and only then: %d levels, held %s"
              .formatted(levels.size(), held));
    }
  }

  /** Always the same. */
  public static LoadRate steady(double level) {
    return new LoadRate(List.of(level), Optional.empty());
  }

  /** Whether there are any operations. */
  public boolean isAny() {
    return levels.stream().anyMatch(level -> level > 0);
  }

  /** The mean over all levels. */
  public double mean() {
    return levels.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /**
   * As a sentence has it: {@code 50 updates a second}, or {@code 5 and 60 updates a second in
   * turn}.
   *
   * @param what the operations and the unit
   */
  public String inWords(String what) {
    List<String> numbers =
        levels.stream()
            .map(level -> BigDecimal.valueOf(level).stripTrailingZeros().toPlainString())
            .toList();
    int last = numbers.size() - 1;
    return last == 0
        ? numbers.getFirst() + " " + what
        : numbers.subList(0, last).stream().collect(Collectors.joining(", "))
            + " and %s %s in turn".formatted(numbers.get(last), what);
  }
}
