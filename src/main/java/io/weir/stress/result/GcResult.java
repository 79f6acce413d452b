package io.weir.stress.result;

/**
 * The arm's garbage collections, as the JVM counts them.
 *
 * @param collections how many
 * @param seconds their accumulated time, as the collectors report it
 */
public record GcResult(long collections, double seconds) {}
