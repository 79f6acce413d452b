package io.weir.rate;

/**
 * What a budget and all under it have been granted so far, at one moment. The counts and the wait
 * only grow; each is exact, but they are not read in one instant: a grant going on may be in one
 * and not yet in another.
 *
 * @param grantedBytes bytes let pass, debited ones included
 * @param requests how many pieces they passed in
 * @param delayedRequests how many of those had to wait
 * @param waitNanos time threads waited, added over threads, the waits going on now included
 * @param waiting threads waiting right now: the depth of the queue
 * @param debtBytes owed right now, because debited bytes passed ahead of their time
 * @param forgivenBytes debited bytes that were never paid back: the debt was at its limit, or a
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
