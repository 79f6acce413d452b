package io.weir.stress.result;

import java.util.Optional;

/**
 * How much of an arm's index was in the page cache when the arm opened it, and what the arm's
 * process then read from storage.
 *
 * @param asked the requested state: {@code as-is}, {@code cold} or {@code warm}
 * @param indexBytes of all files of the index
 * @param residentShare the share of them in the page cache, from 0 to 1; empty where it is unknown
 * @param asAsked whether the page cache was in the requested state; empty with {@code as-is}, false
 *     where it is unknown
 * @param reason why it was not, or why it is unknown
 * @param warmup reads from the opening of the index to the end of the warm-up; empty when the arm
 *     did not begin
 * @param phases reads in each measured phase; empty for a phase that did not happen
 */
public record CacheResult(
    String asked,
    long indexBytes,
    Optional<Double> residentShare,
    Optional<Boolean> asAsked,
    Optional<String> reason,
    Optional<StorageReads> warmup,
    Phases<Optional<StorageReads>> phases) {}
