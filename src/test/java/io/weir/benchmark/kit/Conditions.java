package io.weir.benchmark.kit;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * How a benchmark is asked to run.
 *
 * @param quick true for a run that shows that all works, and whose figures mean little
 * @param directory where files may be made; the benchmark deletes what it made
 * @param progress what is going on now, a line at a time; never the result
 * @param options what was given of {@link Benchmark#options}, as text
 */
public record Conditions(
    boolean quick, Path directory, PrintStream progress, Map<String, String> options) {

  /** Without options. */
  public Conditions(boolean quick, Path directory, PrintStream progress) {
    this(quick, directory, progress, Map.of());
  }

  /** Keeps a copy of the options. */
  public Conditions {
    options = Map.copyOf(options);
  }
}
