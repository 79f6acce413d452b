/**
 * The byte budget: ring 1, uses {@code time}.
 *
 * <p>Start at {@link io.weir.rate.ByteBudget}, the one cap that any number of indexes, threads and
 * merges share. {@link io.weir.rate.Rate} says what the cap is: so many bytes a second, unlimited,
 * or paused. {@link io.weir.rate.TokenBucket} is the arithmetic beneath, pure and exact in
 * integers. {@link io.weir.rate.FairQueue} says who is served next in a tree of budgets, and {@link
 * io.weir.rate.WaitingRoom} is the sleeping and waking around it.
 */
package io.weir.rate;
