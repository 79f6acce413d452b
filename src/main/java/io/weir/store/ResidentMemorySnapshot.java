package io.weir.store;

/**
 * The figures of a {@link ResidentMemory} at one moment.
 *
 * @param bytes bytes held now
 * @param peakBytes maximum held at one time so far
 * @param maxBytes the limit
 * @param refusals requests that were refused; a file that waits for room repeats its request
 * @param reclaims how often a JVM short of heap reclaimed memory
 */
public record ResidentMemorySnapshot(
    long bytes, long peakBytes, long maxBytes, long refusals, long reclaims) {}
