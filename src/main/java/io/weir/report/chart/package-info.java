/**
 * Charts over time as content: the points of each chart of an arm, and a sentence on it.
 *
 * <p>{@link io.weir.report.chart.ArmCharts} is where to begin.
 */
package io.weir.report.chart;
