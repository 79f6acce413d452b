package io.weir.benchmark.kit;

import java.util.Map;

/** Something that can be measured by its name. */
public interface Benchmark {

  /** As it is called on the command line. */
  String name();

  /** What it shows, in one line. */
  String summary();

  /** What can be chosen besides, {@code --NAME VALUE}: each name with its meaning in one line. */
  default Map<String, String> options() {
    return Map.of();
  }

  /** What can be asked for besides, {@code --NAME} alone; in the options its value is "true". */
  default Map<String, String> flags() {
    return Map.of();
  }

  /**
   * Measures; takes minutes in full and some seconds when quick.
   *
   * @throws IllegalArgumentException when an option has no such value
   */
  TextTable run(Conditions conditions) throws Exception;
}
