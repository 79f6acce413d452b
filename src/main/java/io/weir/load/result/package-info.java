/**
 * What {@code weir load} measures, as records. {@link io.weir.load.result.LoadRun} is the whole of
 * {@code load.json}; {@link io.weir.load.result.LoadFiles} names the files of a run.
 */
package io.weir.load.result;
