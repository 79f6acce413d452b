package io.weir.store;

/**
 * What a {@link ResidentMemory} holds at one moment, and what it did so far.
 *
 * @param bytes held now
 * @param peakBytes most held at one time until now
 * @param maxBytes most that may be held now
 * @param refusals how often there was no room; what waits for room asks again, and counts again
 * @param reclaims how often the JVM, short of heap, took memory back
 */
public record ResidentMemorySnapshot(
    long bytes, long peakBytes, long maxBytes, long refusals, long reclaims) {}
