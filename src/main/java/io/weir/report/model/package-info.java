/**
 * What a run directory holds, read and cut to shape, without a word of prose: reopens, samples,
 * pauses, latency curves, caps.
 *
 * <p>{@link io.weir.report.model.Timelines} is where to begin.
 */
package io.weir.report.model;
