/**
 * Which part of a rate over time is steady: {@link io.weir.indexing.steady.SteadyState} decides,
 * from numbers alone; {@link io.weir.indexing.steady.EvenRates} makes them of samples.
 *
 * <p>Nothing here reads a file or a clock.
 */
package io.weir.indexing.steady;
