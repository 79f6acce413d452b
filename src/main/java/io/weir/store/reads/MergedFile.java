package io.weir.store.reads;

import io.weir.lucene.Merges;

/**
 * A file that merges read: one of its own, or one inside a compound file.
 *
 * @param ahead reads the file ahead, or the compound file
 * @param start where this file begins in that one, in bytes
 * @param copied whether merges copy it through a clone that they make of it
 */
public record MergedFile(ReadAhead ahead, long start, boolean copied) {

  /** Whether merges read it ahead at all. */
  boolean isReadAhead() {
    return ahead != ReadAhead.NONE;
  }

  /** Whether the calling thread merges. */
  public static boolean isMerging() {
    return MergeReadPacing.current() != null || Merges.isMergeThread(Thread.currentThread());
  }
}
