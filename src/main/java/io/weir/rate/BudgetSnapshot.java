package io.weir.rate;

/**
 * What a budget has granted so far, at one moment. The first four only grow.
 *
 * @param grantedBytes bytes let pass
 * @param grants how many pieces they passed in
 * @param delayedGrants how many of those had to wait
 * @param waitNanos time threads waited, added over threads, the waits going on now included
 * @param waitingThreads threads waiting right now
 */
public record BudgetSnapshot(
    long grantedBytes, long grants, long delayedGrants, long waitNanos, int waitingThreads) {}
