package io.weir.report.model;

/**
 * The parts of a line of {@code slow-reopens.csv} that a chart shows.
 *
 * @param intendedNanos the intended start, which identifies the reopen; since the arm began to
 *     measure
 * @param cause the main cause
 * @param share the cause's share of {@code totalNanos}, from 0 to 1
 */
public record SlowReopenRow(long intendedNanos, String cause, double share, long totalNanos) {}
