package io.weir.indexing.result;

/**
 * Times in which Lucene held indexing threads back.
 *
 * @param count how many there were
 * @param seconds they took together; one that still lasts counts when it ends
 */
public record Stalls(long count, double seconds) {}
