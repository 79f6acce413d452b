package io.weir.store;

import static io.weir.figure.Shown.ANSWER;
import static io.weir.figure.Shown.METER;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;

import io.weir.figure.SourceFigures;
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

  /** What is shown of the dictionaries of an index. */
  public static final SourceFigures<ResidentSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.keys",
          level("resident", BYTES, "Key dictionaries held in memory", ResidentSnapshot::bytes)
              .named(ANSWER, "bytes"),
          level("files", COUNT, "Files of key dictionaries held in memory", ResidentSnapshot::files)
              .without(METER),
          level(
                  "waiting.files",
                  COUNT,
                  "Files of key dictionaries that wait for room",
                  ResidentSnapshot::waitingFiles)
              .without(METER),
          level(
                  "waiting",
                  BYTES,
                  "Key dictionaries read from the disk until there is room in memory",
                  ResidentSnapshot::waitingBytes)
              .without(ANSWER),
          total(
                  "loaded.files",
                  COUNT,
                  "Files of key dictionaries loaded so far",
                  ResidentSnapshot::loadedFiles)
              .without(METER),
          total(
                  "reclaimed.files",
                  COUNT,
                  "Files of key dictionaries that a JVM short of heap reclaimed",
                  ResidentSnapshot::reclaimedFiles)
              .without(METER),
          total(
                  "faults",
                  COUNT,
                  "Files of key dictionaries left on disk because reading or allocation failed",
                  ResidentSnapshot::faults)
              .counting("files"),
          total(
              "attempts",
              COUNT,
              "How often the loading of a key dictionary was begun, with room for it or without",
              ResidentSnapshot::attempts),
          total("read", BYTES, "Bytes read to load key dictionaries", ResidentSnapshot::readBytes),
          total(
              "wasted",
              BYTES,
              "Bytes of these read for nothing, because the heap was short soon after",
              ResidentSnapshot::wastedBytes));

  /** Copies the map. */
  public ResidentSnapshot {
    bytesBySegment = Map.copyOf(bytesBySegment);
  }
}
