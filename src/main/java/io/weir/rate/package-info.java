/**
 * The byte budget, which grants bytes to merges up to a cap.
 *
 * <p>Start at {@link io.weir.rate.ByteBudget}, the cap that any number of indexes, threads and
 * merges share, and that can be divided among children. {@link io.weir.rate.Rate} is the cap
 * itself: bytes per second, unlimited, or paused.
 *
 * <p>Inside, from the arithmetic to the threads: {@link io.weir.rate.TokenBucket} computes in exact
 * integers how many bytes may pass now. {@link io.weir.rate.BudgetNode} is a budget in its tree,
 * with the grant that needs no lock. {@link io.weir.rate.RequestQueue} holds the waiting requests
 * of one budget, and {@link io.weir.rate.FairQueue} decides which is next. {@link
 * io.weir.rate.BudgetTree} holds the lock and wakes the threads. {@link io.weir.rate.WaitStrategy}
 * defines how a thread waits.
 *
 * <p>Ring 1: uses {@code time} and {@code figure}.
 */
package io.weir.rate;
