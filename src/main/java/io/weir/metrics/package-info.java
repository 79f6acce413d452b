/**
 * Meters for Micrometer, with any registry. {@link io.weir.metrics.WeirMeter} lists them all.
 * {@link io.weir.metrics.WeirMetrics} binds those of one index, {@link
 * io.weir.metrics.BudgetMetrics} those of a budget, {@link io.weir.metrics.ProcessorShareMetrics}
 * those of the processors, {@link io.weir.metrics.LinuxMetrics} and {@link
 * io.weir.metrics.DiskMetrics} those of the machine; {@link io.weir.metrics.WeirHistograms} has
 * optional histogram buckets.
 *
 * <p>Ring 3: may use rings 0 to 2, {@code host}, and Micrometer.
 */
package io.weir.metrics;
