package io.weir.report.chart;

/**
 * How much one chart may draw.
 *
 * @param reopens the most reopens; of more, the slowest of each group of neighbours is drawn
 * @param pauses the most pauses of the collector; of more, the longest of each group
 * @param windows the most windows of samples
 */
public record ChartLimits(int reopens, int pauses, int windows) {}
