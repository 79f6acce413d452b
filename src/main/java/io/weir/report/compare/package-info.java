/**
 * What differs between arms or runs, and whether it is more than chance. Figures of the same round
 * are paired, and each difference has a confidence interval.
 *
 * <p>{@link io.weir.report.compare.Comparison} is where to begin.
 */
package io.weir.report.compare;
