package io.weir.report.model;

/**
 * A line of {@code gc.csv}.
 *
 * @param startNanos since the arm began to measure
 * @param durationNanos how long all threads were stopped
 * @param collector empty when the JVM did not report it; likewise {@code cause}
 * @param name the name of the pause
 * @param cause why the collector ran
 */
public record GcPauseRow(
    long startNanos, long durationNanos, String collector, String name, String cause) {}
