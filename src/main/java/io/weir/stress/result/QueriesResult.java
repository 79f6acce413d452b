package io.weir.stress.result;

/**
 * What all arms of a run searched for, in the same order.
 *
 * @param kind {@code terms}, {@code mixed}, {@code heaviest} or {@code file}
 * @param count how many queries there were; after the last one searches began with the first
 * @param sha256 of {@code queries.txt}, hexadecimal
 */
public record QueriesResult(String kind, long count, String sha256) {}
