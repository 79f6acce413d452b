/**
 * The run of {@code weir index} as a whole, in the JVM that the user started: {@link
 * io.weir.indexing.run.IndexingExperiment} runs the cells one after another, each in a JVM of its
 * own, and writes the result after each.
 *
 * <p>{@link io.weir.indexing.run.IndexingForecast} says beforehand what a run would do.
 */
package io.weir.indexing.run;
