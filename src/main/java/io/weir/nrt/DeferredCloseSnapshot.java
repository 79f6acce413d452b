package io.weir.nrt;

/**
 * What a {@link DeferredClose} has done so far.
 *
 * @param deferred references released off the thread that handed them over, failures included
 * @param inline references released on it: the queue was full, closed, or had no thread
 * @param failed releases that threw
 * @param waiting references in the queue now
 * @param releaseNanos time spent in releases
 * @param maxReleaseNanos the longest release
 */
public record DeferredCloseSnapshot(
    long deferred,
    long inline,
    long failed,
    int waiting,
    long releaseNanos,
    long maxReleaseNanos) {}
