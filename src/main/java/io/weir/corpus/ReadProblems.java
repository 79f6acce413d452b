package io.weir.corpus;

import java.util.ArrayList;
import java.util.List;

/**
 * What a reader met and could not use as it was: counts, and the first few malformed inputs by
 * place.
 *
 * <ul>
 *   <li><em>Malformed</em>: broken input. Either nothing of it was kept (a line without columns) or
 *       only a mended form (invalid UTF-8 replaced by U+FFFD).
 *   <li><em>Skipped</em>: sound input that is not meant to be a document: a redirect, an empty
 *       line, a binary file, a symbolic link.
 *   <li><em>Undated</em>: a good document without a date that can be read.
 * </ul>
 *
 * <p>Counts add up over every reader it is given to.
 *
 * <p><b>Threads:</b> any.
 */
public final class ReadProblems {

  /** How many malformed inputs are kept by place unless said otherwise. */
  public static final int DEFAULT_KEPT = 20;

  private final int kept;

  // All guarded by this.
  private final List<String> first = new ArrayList<>();
  private long malformedCount;
  private long skippedCount;
  private long undatedCount;

  public ReadProblems() {
    this(DEFAULT_KEPT);
  }

  /** Keeps the first {@code kept} malformed inputs by place and only counts the others. */
  public ReadProblems(int kept) {
    if (kept < 1) {
      throw new IllegalArgumentException("kept must be at least 1 problem: " + kept);
    }
    this.kept = kept;
  }

  /** Malformed input at a line of a file; lines count from 1. */
  public void malformed(String file, long line, String reason) {
    addMalformed(file + ":" + line + ": " + reason);
  }

  /** A file that is malformed as a whole, or whose lines cannot be counted. */
  public void malformed(String file, String reason) {
    addMalformed(file + ": " + reason);
  }

  public synchronized void skipped() {
    skippedCount++;
  }

  public synchronized void undated() {
    undatedCount++;
  }

  public synchronized long malformedCount() {
    return malformedCount;
  }

  public synchronized long skippedCount() {
    return skippedCount;
  }

  public synchronized long undatedCount() {
    return undatedCount;
  }

  /** The first malformed inputs, each as {@code FILE:LINE: reason} or {@code FILE: reason}. */
  public synchronized List<String> first() {
    return List.copyOf(first);
  }

  /** One line: the counts and, if there is one, the first malformed input. */
  @Override
  public synchronized String toString() {
    String counts =
        malformedCount + " malformed, " + skippedCount + " skipped, " + undatedCount + " undated";
    return first.isEmpty() ? counts : counts + "; first: " + first.get(0);
  }

  private synchronized void addMalformed(String problem) {
    malformedCount++;
    if (first.size() < kept) {
      first.add(problem);
    }
  }
}
