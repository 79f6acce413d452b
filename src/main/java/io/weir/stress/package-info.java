/**
 * The stress run: ring 4, uses rings 0 to 3, lucene-core and HdrHistogram; never prints.
 *
 * <p>Read it in this order: {@code stress.plan} says what a run is to do, {@code stress.experiment}
 * builds the index and runs each arm in a JVM of its own, {@code stress.arm} is what happens inside
 * that JVM, {@code stress.result} is what comes out, as records and files.
 */
package io.weir.stress;
