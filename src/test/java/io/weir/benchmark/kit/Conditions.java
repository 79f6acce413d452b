package io.weir.benchmark.kit;

import java.io.PrintStream;
import java.nio.file.Path;

/**
 * How a benchmark is asked to run.
 *
 * @param quick true for a run that shows that all works, and whose figures mean little
 * @param directory where files may be made; the benchmark deletes what it made
 * @param progress what is going on now, a line at a time; never the result
 */
public record Conditions(boolean quick, Path directory, PrintStream progress) {}
