package io.weir.indexing.result;

import java.util.Optional;

/**
 * The figures of one part of a cell.
 *
 * <p><b>Units:</b> a gigabyte is 1,000,000,000 bytes. Text is counted as UTF-8, title and body.
 *
 * @param fromSeconds since the first document
 * @param toSeconds since the first document
 * @param documents indexed
 * @param textBytes of them
 * @param gigabytesPerHour of text
 * @param flushes segments that came from RAM
 * @param flushedBytes what flushes wrote, compound files included
 * @param packedBytes the part of that which packed files of a segment into a compound file
 * @param mergedBytes what merges wrote, compound files included
 * @param otherBytes what else was written: live documents, commits
 * @param writeAmplification all bytes written for one that was flushed, where a byte that was
 *     packed counts as written and not as flushed; empty without a flush
 * @param bytesWrittenPerTextByte all bytes written for one of text; empty without text
 * @param mergeDebtBytes the segments in merges that were chosen and had not ended, at the end
 * @param mostMergeDebtBytes the most of that
 * @param mergeStalls threads waited because too many merges ran
 * @param flushStalls threads waited because flushes did not keep up with the buffer
 * @param processorShare what this JVM used of all processors of the machine, from 0 to 1
 * @param indexingThreadShare what indexing threads used of all processors of the machine, from 0 to
 *     1; they flush as well
 * @param collections of the garbage collector
 * @param collectorSeconds the time that collectors say they took; of concurrent ones not a pause
 */
public record IndexingWindow(
    double fromSeconds,
    double toSeconds,
    long documents,
    long textBytes,
    double gigabytesPerHour,
    double documentsPerSecond,
    long flushes,
    long flushedBytes,
    long packedBytes,
    long mergedBytes,
    long otherBytes,
    Optional<Double> writeAmplification,
    Optional<Double> bytesWrittenPerTextByte,
    long mergeDebtBytes,
    long mostMergeDebtBytes,
    Stalls mergeStalls,
    Stalls flushStalls,
    Optional<Double> processorShare,
    Optional<Double> indexingThreadShare,
    long collections,
    double collectorSeconds) {

  /** A rate of text in gigabytes an hour. */
  public static double toGigabytesPerHour(double bytesPerSecond) {
    return bytesPerSecond * 3600 / 1e9;
  }

  /** How long it was. */
  public double seconds() {
    return toSeconds - fromSeconds;
  }
}
