/**
 * The byte budget: ring 1, uses {@code time}.
 *
 * <p>Start at {@link io.weir.rate.ByteBudget}, the one cap that any number of indexes, threads and
 * merges share, and that may be divided into children. {@link io.weir.rate.Rate} says what the cap
 * is: so many bytes a second, unlimited, or paused.
 *
 * <p>Beneath, from the arithmetic to the threads: {@link io.weir.rate.TokenBucket} says how many
 * bytes may pass by now, exactly and in integers; {@link io.weir.rate.BudgetNode} is a budget's
 * place in its tree, with the grant that needs no lock; {@link io.weir.rate.FairQueue} says whose
 * turn it is, and is told the time; {@link io.weir.rate.BudgetTree} holds the lock and wakes the
 * threads. Only {@link io.weir.rate.WaitStrategy} knows how a thread waits.
 */
package io.weir.rate;
