package io.weir.report.model;

/**
 * One line of {@code slow-reopens.csv}, as far as a chart shows it.
 *
 * @param intendedNanos tells which reopen it was; since the arm's measuring began
 * @param cause what took the most of it
 * @param share the part of {@code totalNanos} that it took: from 0 to 1
 */
public record SlowReopenRow(long intendedNanos, String cause, double share, long totalNanos) {}
