package io.weir.lucene;

/**
 * Knows where a {@code MergeAbortedException} ends a merge that the writer itself has not aborted.
 *
 * <p>{@code IndexWriter} treats that exception as the end of the merge: it drops the merge, keeps
 * its inputs and continues. A waiting {@code forceMerge} fails with it; a natural merge ends
 * silently. Any other exception closes the writer.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.merge}, {@code handleMergeException} and {@code
 * mergeMiddle}.
 */
public final class MergeAborts {

  private MergeAborts() {}

  /**
   * Whether the exception ends the merge when it is thrown while this file is written.
   *
   * <p>It does not in a compound file. There {@code mergeMiddle} catches the exception, deletes the
   * parts and publishes a segment without files, unless the writer itself has aborted the merge.
   * The next file that can end the merge is the segment info, which is written next.
   */
  public static boolean endMergeIn(String name) {
    return !SegmentFiles.isCompound(name);
  }
}
