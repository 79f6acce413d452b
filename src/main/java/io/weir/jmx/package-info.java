/**
 * Budgets, merges, reopens, goals and deadlines in JMX.
 *
 * <p>{@link io.weir.jmx.ByteBudgetBean} exposes a budget, with a cap that can be set; {@link
 * io.weir.jmx.ProcessorShareBean} the processors that merges may use; {@link
 * io.weir.jmx.MergesBean} the merges of a writer; {@link io.weir.jmx.ReopensBean} the reopens of an
 * index; {@link io.weir.jmx.LatencyGoalBean} a latency goal; {@link io.weir.jmx.MergeDeadlineBean}
 * a deadline for forced merges.
 *
 * <p>Ring 3: may use rings 0 to 2.
 */
package io.weir.jmx;
