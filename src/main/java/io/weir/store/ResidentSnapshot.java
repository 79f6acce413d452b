package io.weir.store;

import java.util.Map;

/**
 * The figures of a {@link ResidentDirectory} at one moment.
 *
 * @param bytes length of the dictionaries that are held or being loaded
 * @param peakBytes maximum of these at one time so far
 * @param maxBytes the limit: {@link ResidentKeys#maxBytes}, or that of the process if it is lower
 * @param files files held now; a file that is open twice counts twice, and so do its bytes
 * @param bytesBySegment bytes held now, for each segment that has any
 * @param waitingFiles open files that will be loaded when there is room
 * @param waitingBytes length of these; of a file that keys share with other fields less will be
 *     loaded
 * @param loadedFiles files loaded into memory so far
 * @param reclaimedFiles files that a JVM short of heap has reclaimed so far
 * @param faults files left on the disk so far because reading, decoding or allocation failed
 * @param attempts how often a dictionary was begun to be loaded so far, whether there was room or
 *     not
 * @param readBytes bytes read so far to load dictionaries
 * @param wastedBytes those of them that were read for nothing, because the heap was short soon
 *     after
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
    long faults,
    long attempts,
    long readBytes,
    long wastedBytes) {

  /** Copies the map. */
  public ResidentSnapshot {
    bytesBySegment = Map.copyOf(bytesBySegment);
  }
}
