package io.weir.option;

import io.weir.rate.ProcessorShare;
import java.util.Objects;
import java.util.OptionalDouble;

/** Numbers of processor cores as people write them: {@code 1.5}. */
public final class HumanCores {

  private HumanCores() {}

  /**
   * A number of cores, or that there is no limit.
   *
   * @param option whose value it is, for the message
   * @param none the word for no limit
   * @return empty if there is no limit
   * @throws IllegalArgumentException if it is neither; the message names the option and the range
   */
  public static OptionalDouble parse(String option, String text, String none) {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(none, "none");
    String trimmed = text.trim();
    if (trimmed.equalsIgnoreCase(none)) {
      return OptionalDouble.empty();
    }
    try {
      double cores = Double.parseDouble(trimmed);
      if (cores >= ProcessorShare.MIN_CORES && cores <= ProcessorShare.MAX_CORES) {
        return OptionalDouble.of(cores);
      }
    } catch (NumberFormatException e) {
      // As one out of range.
    }
    throw new IllegalArgumentException(
        "%s must be a number of cores from %s to %.0f, such as 1.5, or %s: %s"
            .formatted(option, ProcessorShare.MIN_CORES, ProcessorShare.MAX_CORES, none, text));
  }
}
