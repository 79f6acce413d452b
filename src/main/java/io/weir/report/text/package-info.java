/**
 * What a terminal shows of a run, and what a build server reads.
 *
 * <p>{@link io.weir.report.text.ResultTable} is where to begin.
 */
package io.weir.report.text;
