package io.weir.store;

import java.util.Map;

/**
 * What a {@link ResidentDirectory} holds in memory, at one moment, and what it did so far.
 *
 * @param bytes held now
 * @param peakBytes most held at one time until now
 * @param files held now; one that was opened twice counts twice, as its bytes do
 * @param bytesBySegment held now for each segment that has any
 * @param loadedFiles files read into memory so far
 * @param refusedFiles files read from below so far because {@link ResidentKeys#maxBytes} was
 *     reached
 * @param faults files read from below so far because something could not be read or understood
 */
public record ResidentSnapshot(
    long bytes,
    long peakBytes,
    long files,
    Map<String, Long> bytesBySegment,
    long loadedFiles,
    long refusedFiles,
    long faults) {

  /** Copies the map. */
  public ResidentSnapshot {
    bytesBySegment = Map.copyOf(bytesBySegment);
  }
}
