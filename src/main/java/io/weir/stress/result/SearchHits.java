package io.weir.stress.result;

/**
 * Whether an arm's searches found anything, the warm-up and what was never begun left aside.
 *
 * @param searches how many there were
 * @param withoutHits how many of them matched no document, and so read nothing
 */
public record SearchHits(long searches, long withoutHits) {}
