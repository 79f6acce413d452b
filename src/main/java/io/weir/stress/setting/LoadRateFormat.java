package io.weir.stress.setting;

import io.weir.option.HumanDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * How a {@link LoadRate} is written: {@code 50}, or levels in turn such as {@code 5,60/20s}.
 *
 * <p><b>Failure:</b> {@link IllegalArgumentException} with the setting's key, the rule and the
 * value.
 *
 * @param unit {@code second} or {@code minute}
 * @param most the highest level
 * @param number how a level is written
 */
record LoadRateFormat(String unit, double most, DoubleFunction<String> number) {

  private static final int MOST_LEVELS = 100;
  private static final Duration LEAST_HELD = Duration.ofMillis(1);
  private static final Duration MOST_HELD = Duration.ofHours(24);

  /** The rate that a text stands for. */
  LoadRate parse(String key, String text) {
    int slash = text.indexOf('/');
    boolean held = slash >= 0;
    String numbers = held ? text.substring(0, slash) : text;
    List<Double> levels = new ArrayList<>();
    for (String level : numbers.split(",", -1)) {
      try {
        levels.add(Double.valueOf(level));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(key + " must be " + rule() + ": " + text, e);
      }
    }
    if (held != levels.size() > 1) {
      throw new IllegalArgumentException(
          "%s must be a number alone, or levels and how long each is held, such as 5,60/20s: %s"
              .formatted(key, text));
    }
    return new LoadRate(
        levels,
        held
            ? Optional.of(HumanDuration.parse(key + ": each level", text.substring(slash + 1)))
            : Optional.empty());
  }

  /** A text that {@link #parse} takes. */
  String print(LoadRate rate) {
    return rate.levels().stream().map(number::apply).collect(Collectors.joining(","))
        + rate.held().map(held -> "/" + HumanDuration.print(held)).orElse("");
  }

  /** Refuses a rate out of range. */
  void check(String key, LoadRate rate) {
    require(
        rate.levels().stream().allMatch(level -> level >= 0 && level <= most),
        key,
        "be " + rule(),
        rate);
    require(
        rate.levels().size() <= MOST_LEVELS,
        key,
        "have at most %d levels".formatted(MOST_LEVELS),
        rate);
    rate.held()
        .ifPresent(
            held -> {
              require(
                  held.compareTo(LEAST_HELD) >= 0 && held.compareTo(MOST_HELD) <= 0,
                  key,
                  "hold each level from 1 ms to 24 h",
                  rate);
              require(rate.isAny(), key, "have a level above 0", rate);
            });
  }

  private void require(boolean kept, String key, String rule, LoadRate rate) {
    if (!kept) {
      throw new IllegalArgumentException("%s must %s: %s".formatted(key, rule, print(rate)));
    }
  }

  private String rule() {
    return "a number from 0 to %s per %s, or levels in turn such as 5,60/20s"
        .formatted(number.apply(most), unit);
  }
}
