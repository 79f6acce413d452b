/**
 * The run of {@code weir index} as a whole, in the JVM that the user started. {@link
 * io.weir.indexing.run.IndexingRun} runs the cells one after another, each in a JVM of its own.
 */
package io.weir.indexing.run;
