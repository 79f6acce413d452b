package io.weir.store;

import java.util.Map;

/**
 * What a {@link ResidentDirectory} holds in memory, at one moment, and what it did so far.
 *
 * @param bytes of dictionaries that are held now, or are being read in
 * @param peakBytes the most of these at one time until now
 * @param maxBytes most that may be held: {@link ResidentKeys#maxBytes}, or the bound of the process
 *     if that is lower
 * @param files held now; one that was opened twice counts twice, as its bytes do
 * @param bytesBySegment held now for each segment that has any
 * @param waitingFiles files that are open, not held yet, and will be when there is room
 * @param waitingBytes their length
 * @param loadedFiles files read into memory so far
 * @param reclaimedFiles files that the JVM, short of heap, took back so far
 * @param faults files left on the disk so far because something could not be read, understood or
 *     allocated
 */
public record ResidentSnapshot(
    long bytes,
    long peakBytes,
    long maxBytes,
    long files,
    Map<String, Long> bytesBySegment,
    long waitingFiles,
    long waitingBytes,
    long loadedFiles,
    long reclaimedFiles,
    long faults) {

  /** Copies the map. */
  public ResidentSnapshot {
    bytesBySegment = Map.copyOf(bytesBySegment);
  }
}
