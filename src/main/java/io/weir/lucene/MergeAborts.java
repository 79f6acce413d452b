package io.weir.lucene;

/**
 * Where a {@code MergeAbortedException} ends a merge that has not been called off by its writer.
 *
 * <p>{@code IndexWriter} takes that exception for the end of the merge: it drops the merge, keeps
 * its inputs and goes on. A {@code forceMerge} that waits fails with it; a natural merge ends
 * without a word. Any other exception closes the writer.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.merge}, {@code handleMergeException} and {@code
 * mergeMiddle}.
 */
public final class MergeAborts {

  private MergeAborts() {}

  /**
   * Whether the exception ends the merge when it is thrown while this file is written.
   *
   * <p>It does not in a compound file. {@code mergeMiddle} catches the exception there, deletes the
   * parts and goes on to publish a segment without files, unless the writer itself has called the
   * merge off. The segment info, which is written next, is the first file after it that can end the
   * merge.
   */
  public static boolean endMergeIn(String name) {
    return !SegmentFiles.isCompound(name);
  }
}
