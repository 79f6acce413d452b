/**
 * How often the first answer of {@code weir why} is the right one. Targets with one thing wrong, of
 * which {@link io.weir.benchmark.whytrials.Causes} is the list, are looked at by the command
 * itself, and its answers are counted.
 */
package io.weir.benchmark.whytrials;
