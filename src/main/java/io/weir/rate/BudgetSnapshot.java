package io.weir.rate;

/**
 * The grants of a budget and of all budgets below it so far. Counts and wait time only grow. Each
 * figure is exact, but they are not read atomically: a grant in progress may be in one and not yet
 * in another.
 *
 * @param grantedBytes bytes granted, including debited ones
 * @param requests number of grants
 * @param delayedRequests grants that had to wait
 * @param waitNanos time that threads waited, summed over threads, including the waits in progress
 * @param waiting threads that wait now: the depth of the queue
 * @param debtBytes debt now: debited bytes that the rate has not yet paid back
 * @param forgivenBytes debited bytes that are never paid back, because the debt was at its limit, a
 *     lower rate lowered the limit, or the cap was lifted
 */
public record BudgetSnapshot(
    long grantedBytes,
    long requests,
    long delayedRequests,
    long waitNanos,
    int waiting,
    long debtBytes,
    long forgivenBytes) {}
