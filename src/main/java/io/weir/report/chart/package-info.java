/**
 * Charts as content, each one record: {@link io.weir.report.chart.Chart}, with its scales, series,
 * spans and marks.
 *
 * <p>{@link io.weir.report.chart.ArmCharts} makes those of a run over time; the others make one
 * each. Both the painter of pictures and the script of the page draw them from the record alone.
 */
package io.weir.report.chart;
