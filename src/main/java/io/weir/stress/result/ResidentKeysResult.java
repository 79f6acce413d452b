package io.weir.stress.result;

/**
 * The dictionaries of ids that an arm held in memory.
 *
 * @param bytes held at the arm's end, by what was open then
 * @param peakBytes most that were held at one time
 * @param maxBytes the bound
 * @param segments how many had any at the arm's end
 * @param loadedFiles files held so far, two for each segment
 * @param overBound files read from the directory at the arm's end, because there was no room
 * @param faults files read from the directory instead, because something failed
 */
public record ResidentKeysResult(
    long bytes,
    long peakBytes,
    long maxBytes,
    int segments,
    long loadedFiles,
    long overBound,
    long faults) {}
