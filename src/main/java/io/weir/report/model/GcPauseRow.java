package io.weir.report.model;

/**
 * A line of {@code gc.csv}.
 *
 * @param startNanos since the arm's measuring began
 * @param durationNanos how long all threads stood
 * @param collector empty when it was not told, as may be {@code cause}
 * @param name of the pause
 * @param cause of the collection
 */
public record GcPauseRow(
    long startNanos, long durationNanos, String collector, String name, String cause) {}
