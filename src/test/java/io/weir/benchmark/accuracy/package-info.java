/**
 * How near limiters come to the rate they are asked for: {@link
 * io.weir.benchmark.accuracy.AccuracyBenchmark}. {@link io.weir.benchmark.accuracy.Contender} names
 * the limiters, {@link io.weir.benchmark.accuracy.Cell} is one measurement of one of them, and
 * {@link io.weir.benchmark.accuracy.GrantMeter} is the instrument.
 */
package io.weir.benchmark.accuracy;
