/**
 * What a run of {@code weir index} is to do: {@link io.weir.indexing.plan.IndexingPlan}, and which
 * settings of an arm mean something there.
 *
 * <p>Nothing here reads a file or a clock.
 */
package io.weir.indexing.plan;
