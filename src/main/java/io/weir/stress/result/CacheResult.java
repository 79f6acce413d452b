package io.weir.stress.result;

/**
 * How much of an arm's index was in the page cache when the arm opened it, and what the arm's
 * process then read from storage.
 *
 * @param asked {@code as-is}, {@code cold} or {@code warm}
 * @param indexBytes of all files of the index
 * @param residentShare of them, from 0 to 1; null when it cannot be told
 * @param asAsked whether that is what was asked for; null with {@code as-is}, and false when it
 *     cannot be told
 * @param reason why it is not as it was asked for, or cannot be told; null otherwise
 * @param warmup from that moment until the warm-up was over, the opening of the index among it;
 *     null when the arm was not begun
 * @param phases the same of each phase that is measured; null entries for those that did not happen
 */
public record CacheResult(
    String asked,
    long indexBytes,
    Double residentShare,
    Boolean asAsked,
    String reason,
    StorageReads warmup,
    Phases<StorageReads> phases) {}
