package io.weir.stress.result;

/**
 * Lucene's {@code CheckIndex} found nothing wrong with what an arm left behind.
 *
 * @param segments in its last commit
 * @param documents in them that are not deleted
 * @param seconds how long the check took
 */
public record IndexCheckResult(int segments, long documents, double seconds) {}
