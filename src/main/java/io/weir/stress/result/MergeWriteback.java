package io.weir.stress.result;

/**
 * How the output of merges was brought to disk while they wrote it, in the window of a {@link
 * MergeResult}.
 *
 * @param method {@code sync_file_range}, {@code fdatasync} or {@code none}
 * @param reason why it was that one, in words
 * @param ranges how many were started
 * @param bytes in them
 * @param waitedSeconds time that writing threads spent in these calls, added over threads
 * @param faults files that were written on without, because a call failed
 */
public record MergeWriteback(
    String method, String reason, long ranges, long bytes, double waitedSeconds, long faults) {}
