package io.weir.corpus;

import java.util.ArrayList;
import java.util.List;

/**
 * The input that readers could not use unchanged: counts, and the locations of the first malformed
 * inputs.
 *
 * <ul>
 *   <li><em>Malformed</em>: broken input. It was either dropped (a line without columns) or
 *       repaired (invalid UTF-8 replaced by U+FFFD).
 *   <li><em>Skipped</em>: valid input that is not a document: a redirect, an empty line, a binary
 *       file, a symbolic link.
 *   <li><em>Undated</em>: a good document without a readable date.
 * </ul>
 *
 * <p>The counts cover all readers that use this object.
 *
 * <p><b>Threads:</b> any.
 */
public final class ReadProblems {

  /** The default number of locations to keep. */
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

  /** Keeps the locations of the first {@code kept} malformed inputs, and only counts the others. */
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
