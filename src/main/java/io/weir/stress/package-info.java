/**
 * The stress run: ring 4, uses rings 0 to 3, {@code corpus}, {@code run}, lucene-core and
 * HdrHistogram; never prints. What comes out is a {@link io.weir.run.Run}.
 *
 * <p>Read it in this order: {@code stress.setting} holds the settings of an arm, {@code
 * stress.plan} what a run is to do, {@code stress.sweep} which cap a search tries next, {@code
 * stress.experiment} has an index built and each arm run, in a JVM of its own whose entry is in
 * {@code stress.worker}. {@code stress.index} is the index, {@code stress.queries} is what is
 * searched for, {@code stress.arm} is what happens inside an arm, {@code stress.engine} the same on
 * a search engine.
 */
package io.weir.stress;
