package io.weir.stress.result;

/**
 * What merges fetched from storage, page faults of mapped files included.
 *
 * @param bytes all of it
 * @param verifyBytes what was fetched to verify the input before it is merged, by a sample
 * @param verifySeconds time that merges spent verifying, by a sample, added over merges
 */
public record MergeReadResult(long bytes, long verifyBytes, double verifySeconds) {}
