package io.weir.load.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Which loads are tried: {@code --load}. Units: requests per second. */
public sealed interface Loads {

  /** The most that a client may be asked to send. */
  double MOST = 100_000;

  /** The least that makes sense. */
  double LEAST = 0.1;

  /** With fewer in a step, chance decides what it shows. */
  int LEAST_REQUESTS = 10;

  /** The client keeps the times of each request until its step ends, in a heap of 1 GB. */
  int MOST_REQUESTS = 2_000_000;

  /** The least load that gives a step of this length {@value #LEAST_REQUESTS} requests. */
  static double least(Duration step) {
    return Math.max(LEAST, LEAST_REQUESTS * 1e3 / step.toMillis());
  }

  /** The most that gives it {@value #MOST_REQUESTS}. */
  static double most(Duration step) {
    return Math.min(MOST, MOST_REQUESTS * 1e3 / step.toMillis());
  }

  /** Those that the user named, from the least on. */
  List<Double> named();

  /**
   * Those that the user named, from the least on.
   *
   * @param perSecond at least one, rising
   */
  record Listed(List<Double> perSecond) implements Loads {

    /** Refuses none, too much, and two that are equal. */
    public Listed {
      perSecond = perSecond.stream().sorted().toList();
      if (perSecond.isEmpty() || perSecond.stream().distinct().count() < perSecond.size()) {
        throw new IllegalArgumentException(
            "load must be one or more different numbers of requests per second: " + perSecond);
      }
      perSecond.forEach(Loads::require);
    }

    @Override
    public List<Double> named() {
      return perSecond;
    }
  }

  /**
   * Doubles until the server saturates, then narrows.
   *
   * @param first where to begin; empty for an eighth of what the warm-up came to
   */
  record Auto(OptionalDouble first) implements Loads {

    /** Refuses a first load out of range. */
    public Auto {
      first.ifPresent(Loads::require);
    }

    @Override
    public List<Double> named() {
      return first.stream().boxed().toList();
    }
  }

  /** As the command line has it: {@code auto}, {@code auto:200} or {@code 50,100,200}. */
  static Loads parse(String text) {
    if (text.equals("auto")) {
      return new Auto(OptionalDouble.empty());
    }
    if (text.startsWith("auto:")) {
      return new Auto(OptionalDouble.of(number(text.substring("auto:".length()), text)));
    }
    List<Double> numbers = new ArrayList<>();
    Arrays.stream(text.split(",", -1)).forEach(part -> numbers.add(number(part.trim(), text)));
    return new Listed(numbers);
  }

  private static double number(String part, String text) {
    if (!part.matches("[0-9]{1,9}([.][0-9]{1,3})?")) {
      throw new IllegalArgumentException(
          "load must be auto, auto:FIRST or numbers of requests per second, such as 50,100,200: '%s'"
              .formatted(text));
    }
    return Double.parseDouble(part);
  }

  private static void require(double perSecond) {
    if (!(perSecond >= LEAST && perSecond <= MOST)) {
      throw new IllegalArgumentException(
          "load must be from %s to %.0f requests per second: %s".formatted(LEAST, MOST, perSecond));
    }
  }
}
