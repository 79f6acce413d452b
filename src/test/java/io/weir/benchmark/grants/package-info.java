/**
 * How many grants a tree of budgets gives and what one costs: {@link
 * io.weir.benchmark.grants.GrantsBenchmark}. {@link io.weir.benchmark.grants.GrantsCell} is one
 * measurement, {@link io.weir.benchmark.grants.Cap} the three ways a grant can go.
 */
package io.weir.benchmark.grants;
